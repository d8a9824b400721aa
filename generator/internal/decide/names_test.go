package decide

import (
	"go/token"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestExported(t *testing.T) {
	for wire, want := range map[string]string{
		// the corpus's styles
		"list_prs": "ListPRs", "list_pull_requests": "ListPullRequests", "get_me": "GetMe",
		"get-sum": "GetSum", "gzip-file-as-resource": "GzipFileAsResource", "resolve-library-id": "ResolveLibraryID",
		"API-get-user": "APIGetUser", "API-patch-block-children": "APIPatchBlockChildren",
		"MatrixTool": "MatrixTool", "PoiSearchTool": "POISearchTool", "ui_get": "UIGet", "list_api_resources": "ListAPIResources",
		"kubectl_get": "KubectlGet", "ping": "Ping", "read_file": "ReadFile", "libraryName": "LibraryName",
		"context7CompatibleLibraryID": "Context7CompatibleLibraryID", "issue_number": "IssueNumber", "perPage": "PerPage",
		"start_cursor": "StartCursor", "ghsaId": "GHSAID", "cveId": "CVEID", "isWithdrawn": "IsWithdrawn",
		"dryRun": "DryRun", "allNamespaces": "AllNamespaces", "outputFormat": "OutputFormat", "richTextRequest": "RichTextRequest",
		"page_size": "PageSize", "auth-method": "AuthMethod", "x-weird key": "XWeirdKey", "type": "Type", "class": "Class",
		"filter_properties[]": "FilterProperties", "@type": "Type", "$ref": "Ref", "a.b.c": "ABC", "ns/tool": "NsTool",
		// initialisms and plurals
		"user_ids": "UserIDs", "html_url": "HTMLURL", "PRs": "PRs", "userIDs": "UserIDs", "URLsList": "URLsList", "urls": "URLs",
		"id": "ID", "ID": "ID", "Id": "ID", "userId": "UserID", "HTMLParser": "HTMLParser", "parseHTML": "ParseHTML",
		"oauth": "OAuth", "oauth2_token": "OAuth2Token", "OAuthToken": "OAuthToken", "ipv4": "IPv4", "ipv6_addr": "IPv6Addr",
		"IPv4": "IPv4", "ip_addresses": "IPAddresses", "sha": "SHA", "sha256": "SHA256", "mcp_server": "MCPServer", "aws_region": "AWSRegion",
		"apis": "APIs", "uuid": "UUID", "json_rpc": "JSONRPC", "dns": "DNS", "dnss": "Dnss", "https": "HTTPS", "os": "OS",
		"utf8": "UTF8", "url2png": "URL2png", "thread_ts": "ThreadTS", "ideas": "Ideas", "identity": "Identity", "valid": "Valid", "prs_open": "PRsOpen",
		"status": "Status", "us": "Us", "it": "It", "graphql_query": "GraphQLQuery", "mysql_dump": "MySQLDump", "\u3164": "X3164", "a\u3164b": "AB", "\u115f1": "X1", "use_postgresql": "UsePostgreSQL", "macOS": "MacOS", "iOSApp": "IOSApp", "ec2": "EC2",
		"GitHub": "GitHub", "github": "Github", "dbs": "DBs", "IDs": "IDs", "ids": "IDs", "cpuUsage": "CPUUsage",
		// case
		"LIST_ALL": "ListAll", "exportGLTF": "ExportGLTF", "OPEN": "Open", "ASC": "Asc", "DESC": "Desc", "created_at DESC": "CreatedAtDesc",
		"CamelCase": "CamelCase", "A": "A", "aB": "AB", "XYZ": "Xyz", "parseXYZFile": "ParseXYZFile", "GetAsX": "GetAsX",
		// digits
		"2fa": "X2FA", "2fa_code": "X2FACode", "3d": "X3D", "render_3d": "Render3D", "v1_0": "V1_0", "v10": "V10", "x86_64": "X86_64",
		"base64": "Base64", "base64Encode": "Base64Encode", "1": "X1", "1st": "X1st", "h264": "H264", "s3": "S3", "k8s_pods": "K8sPods",
		"2024-11-05": "X2024_11_05", "page2": "Page2", "s3URL": "S3URL", "ipv4s": "IPv4s",
		// signs and symbols
		"reactions-+1": "ReactionsPlus1", "reactions--1": "ReactionsMinus1", "a-1": "A1", "from:-5 to:+5": "FromMinus5ToPlus5", "+1": "Plus1", "-1": "Minus1", "C++": "CPlusPlus", "C#": "CSharp", "C": "C", "a+b": "AB", ">=": "GreaterEqual", "*": "Star",
		"": "Empty", " ": "Space", "_": "Underscore", "__": "UnderscoreUnderscore", "-": "Minus", "__schema0": "Schema0", "+": "Plus",
		"#1": "X1", "🚀": "X1F680", "🚀launch": "Launch", "\x00": "X0", "\n": "XA", "\u202e": "X202E",
		// other scripts
		"搜索": "X搜索", "поиск_файла": "ПоискФайла", "größe": "Größe", "ßtraße": "Xßtraße", "élan": "Élan", "e\u0301lan": "Elan",
		"ǆep": "Ǆep", "İd": "ID", "हिन्दी": "Xहनद", "٣": "X٣", "ſ": "S", "Ⅷ": "X2167", "ª": "Xª", "\xff": "XFFFD",
		// hostile
		"x */ func init() {": "XFuncInit", "a\nb": "AB", "a\"; panic(1); //": "APanic1", "func": "Func", "init": "Init", "nil": "Nil",
		"`+\"": "BacktickPlusQuote", "../../etc/passwd": "EtcPasswd",
	} {
		if got := exported(wire); got != want {
			t.Errorf("exported(%q) = %q, want %q", wire, got, want)
		}
		if got := exported(wire); !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exported(%q) = %q, which is not an exported Go name", wire, got)
		}
	}
}

func TestLongNames(t *testing.T) {
	a, b := strings.Repeat("long_", 100)+"a", strings.Repeat("long_", 100)+"b"
	if exported(a) == exported(b) {
		t.Errorf("two long names meet in %s", exported(a))
	}
	for _, wire := range []string{a, strings.Repeat("é", 300), strings.Repeat("🚀", 300), strings.Repeat("!", 300), strings.Repeat("搜", 300)} {
		got := exported(wire)
		if n := utf8.RuneCountInString(got); n > maxPart+1 || !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Errorf("exported(%.10q…) = %q, %d runes", wire, got, n)
		}
	}
	long := shorten(strings.Repeat("Größe", 60))
	if len(long) > maxIdent || !token.IsIdentifier(long) {
		t.Errorf("shorten gives %d bytes: %q", len(long), long)
	}
}

func FuzzExported(f *testing.F) {
	for _, s := range []string{"list_prs", "2fa", "", "+1", "PRs", "é", "🚀", "C++", "a\x00b", "ſ", "x*/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, wire string) {
		got := exported(wire)
		if !token.IsIdentifier(got) || !token.IsExported(got) {
			t.Fatalf("exported(%q) = %q, which is not an exported Go name", wire, got)
		}
		if p := "T" + part(wire); !token.IsIdentifier(p) || len(p) > 4*maxPart+1 {
			t.Fatalf("part(%q) = %q", wire, p)
		}
	})
}
