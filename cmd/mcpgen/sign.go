package main

import (
	"encoding/json"

	"github.com/urfave/cli/v2"

	"github.com/mcpgen/mcpgen/cmd/mcpgen/internal/sharing"
	"github.com/mcpgen/mcpgen/internal/hint"
)

// signatureFlags returns the flags of commands that can require signatures.
func signatureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "require-signature",
			Usage: "exit 1 if trusted keys have not signed the lock or snapshot: see mcpgen help sign"},
		&cli.StringFlag{Name: "signers", Usage: "read the trusted keys from `FILE`, outside the repository"},
	}
}

func signCommand() *cli.Command {
	return &cli.Command{
		Name:      "sign",
		Usage:     "sign what was accepted, for those who require a signature",
		ArgsUsage: "[server…]",
		Description: `Without arguments, signs mcpgen.lock and the snapshots of its servers, and writes the
signature beside the lock: commit it. With names of servers, signs their snapshots in the
registry, and pushes the signatures there. A signature says who accepted which bytes, when, and with
which security findings. Read what you sign.

  openssl genpkey -algorithm ed25519 -out key.pem && chmod 600 key.pem
  mcpgen sign --key key.pem --by alice@example.com
  mcpgen secrets set --keyring release < key.pem
  mcpgen sign --key keyring:release --by alice@example.com github

It prints the line that others need to trust the key. They add the line to signers.json
in the folder mcpgen of their configuration folder, or to the file that --signers or
MCPGEN_SIGNERS names. MCPGEN_SIGNERS can also hold this JSON itself:

  {"require": 1, "signers": [
    {"name": "alice@example.com", "key": "MCow…", "until": "2027-12-31"},
    {"name": "bob@example.com", "key": "MCow…", "revoked": "lost on 2026-11-02"}
  ]}

The key "require" is the number of different names that must sign, each with its own
key. "until" is the last day on which a key is valid. After that day, or if "revoked"
gives a reason, every signature of the key is invalid, even an earlier one: sign again
with another key. mcpgen refuses a file of trusted keys in the repository of the
project, since a pull request could change it.

With --require-signature, generate --frozen, generate --check, pull and serve require
signatures. With require_signature: true in mcpgen.yaml, programs and mcpgen call also
require them. cosign can verify a signature: see the guide's page for a platform team.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "key", Usage: "sign with the ed25519 key in `FILE` (PEM, mode 0600), or keyring:NAME"},
			&cli.StringFlag{Name: "by", Usage: "sign as `NAME`: the name that the files of trusted keys give to this key"},
			toFlag(),
		},
		Action: sign,
	}
}

func sign(c *cli.Context) error {
	if c.String("key") == "" || c.String("by") == "" {
		return hint.With(usage("sign needs a key and the name of its owner"),
			"mcpgen sign --key FILE --by NAME", "make a key: openssl genpkey -algorithm ed25519 -out FILE")
	}
	s, err := openToWrite(c, false)
	if err != nil {
		return err
	}
	all, by, err := sharing.Sign(s.ctx, s.State,
		sharing.SignOptions{Options: storeOptions(c), Key: c.String("key"), By: c.String("by")})
	for _, one := range all {
		s.con.Printf("%s %s\n", one.Address, one.Digest)
	}
	if line, encodingErr := json.Marshal(by); len(all) > 0 && encodingErr == nil {
		s.con.Note("trust the key: %s", line)
	}
	return err
}
