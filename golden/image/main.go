// Command image writes mcpgen's container image: an OCI image layout in a tar file, with an
// image for each platform's binary. An image holds the binary, the certificates of
// authorities and the licences, and runs as a user without rights. Equal input gives equal
// bytes.
//
//	image -version 0.1.0 -licences FOLDER -o image.tar bin/linux-amd64 bin/linux-arm64
package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	_ "crypto/sha256" // the digests' algorithm
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/content/oci"
)

// authorities is the file of ca-certificates in Debian, and where programs look for it in the image.
const authorities = "/etc/ssl/certs/ca-certificates.crt"

func main() {
	log.SetFlags(0)
	log.SetPrefix("image: ")
	version := flag.String("version", "", "the release's `VERSION`")
	licences := flag.String("licences", "", "the `FOLDER` of the licences of what the binary links")
	out := flag.String("o", "", "the tar `FILE` to write")
	flag.Parse()
	if *version == "" || *licences == "" || *out == "" || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(context.Background(), *out, *version, *licences, flag.Args()); err != nil {
		log.Fatal(err)
	}
}

// write writes the image of the binaries in folders, each called OS-ARCH.
func write(ctx context.Context, out, version, licences string, folders []string) error {
	layout, err := os.MkdirTemp("", "image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(layout)
	store, err := oci.NewWithContext(ctx, layout)
	if err != nil {
		return err
	}
	index := ocispec.Index{Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageIndex}
	for _, folder := range folders {
		system, arch, ok := strings.Cut(filepath.Base(folder), "-")
		if !ok {
			return fmt.Errorf("%s: the folder's name is not OS-ARCH", folder)
		}
		manifest, err := platform(ctx, store, version, filepath.Join(folder, "mcpgen"), licences, ocispec.Platform{OS: system, Architecture: arch})
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		index.Manifests = append(index.Manifests, manifest)
	}
	root, err := pushJSON(ctx, store, ocispec.MediaTypeImageIndex, index)
	if err != nil {
		return err
	}
	if err := store.Tag(ctx, root, version); err != nil {
		return err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	if err := addTree(w, layout, ""); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(out, archive.Bytes(), 0o644)
}

// platform pushes one platform's image and returns its manifest's descriptor.
func platform(ctx context.Context, store *oci.Store, version, binary, licences string, p ocispec.Platform) (ocispec.Descriptor, error) {
	files, err := layer(binary, licences)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(files); err != nil {
		return ocispec.Descriptor{}, err
	}
	if err := z.Close(); err != nil {
		return ocispec.Descriptor{}, err
	}
	top, err := push(ctx, store, ocispec.MediaTypeImageLayerGzip, packed.Bytes())
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	config, err := pushJSON(ctx, store, ocispec.MediaTypeImageConfig, ocispec.Image{
		Platform: p,
		Config: ocispec.ImageConfig{
			User: "65532:65532", Entrypoint: []string{"/mcpgen"}, WorkingDir: "/work",
			Env: []string{"PATH=/", "HOME=/tmp"},
			Labels: map[string]string{
				ocispec.AnnotationVersion: version, ocispec.AnnotationLicenses: "MIT",
				ocispec.AnnotationSource: "https://github.com/mcpgen/mcpgen",
			},
		},
		RootFS: ocispec.RootFS{Type: "layers", DiffIDs: []digest.Digest{digest.FromBytes(files)}},
	})
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	manifest, err := pushJSON(ctx, store, ocispec.MediaTypeImageManifest, ocispec.Manifest{
		Versioned: specs.Versioned{SchemaVersion: 2}, MediaType: ocispec.MediaTypeImageManifest,
		Config: config, Layers: []ocispec.Descriptor{top},
	})
	manifest.Platform = &p
	return manifest, err
}

// layer is the image's files, as a tar file.
func layer(binary, licences string) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, folder := range []tar.Header{{Name: "tmp/", Mode: 0o1777}, {Name: "work/", Mode: 0o755, Uid: 65532, Gid: 65532}} {
		folder.Typeflag = tar.TypeDir
		if err := w.WriteHeader(&folder); err != nil {
			return nil, err
		}
	}
	if err := addFile(w, authorities, strings.TrimPrefix(authorities, "/"), 0o644); err != nil {
		return nil, err
	}
	if err := addTree(w, licences, "licences"); err != nil {
		return nil, err
	}
	if err := addFile(w, binary, "mcpgen", 0o755); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// addTree adds the files of a folder under a name, in the order of their paths.
func addTree(w *tar.Writer, folder, name string) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(p string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return addFile(w, filepath.Join(folder, p), path.Join(name, p), 0o644)
	})
}

func addFile(w *tar.Writer, file, name string, mode int64) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: int64(len(text))}); err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

func pushJSON(ctx context.Context, store *oci.Store, mediaType string, v any) (ocispec.Descriptor, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return ocispec.Descriptor{}, err
	}
	return push(ctx, store, mediaType, text)
}

func push(ctx context.Context, store *oci.Store, mediaType string, text []byte) (ocispec.Descriptor, error) {
	d := content.NewDescriptorFromBytes(mediaType, text)
	exists, err := store.Exists(ctx, d)
	if err == nil && !exists {
		err = store.Push(ctx, d, io.NopCloser(bytes.NewReader(text)))
	}
	return d, err
}
