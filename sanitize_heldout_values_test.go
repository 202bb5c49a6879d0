package mend_test

import (
	"encoding/base64"
	hexcoding "encoding/hex"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
)

// What the sanitizer of the held-out cases is told. The long value needs every way
// of quoting; the other is its second line.
const (
	heldoutKnown      = "uL<8\"k' &/é\\w\nsecond%line$of=it!"
	heldoutKnownShort = "x7Qz"
	heldoutUser       = "mkowalczyk"
	heldoutHome       = "/srv/people/imai"
)

// planted is a value as it stands in a text: the part of it that must not survive
// (empty if it is benign), and the mark that takes its place.
type planted struct{ text, secret, mark string }

const (
	alnum   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	lowers  = "abcdefghijklmnopqrstuvwxyz"
	digits  = "0123456789"
	lowHex  = "0123456789abcdef"
	symbols = "!#*+^-_"
)

// alphabets of the forms, by their letter.
var alphabets = map[byte]string{
	'A': alnum, 'l': lowers + digits, 'd': digits, 'h': lowHex, 'H': "0123456789ABCDEF", 'u': "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	'w': alnum + "-_", 'b': alnum + "+/", 'x': alnum + "./", 'z': "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
}

// letters returns n characters of alphabet, the first and last of which are letters or digits,
// with a digit and a letter if the alphabet has both.
func letters(r *rand.Rand, alphabet string, n int) string {
	for {
		out := make([]byte, n)
		for i := range out {
			out[i] = alphabet[r.IntN(len(alphabet))]
		}
		s := string(out)
		if strings.Contains(alphabet, "7") && !strings.ContainsAny(s, digits) && n > 5 {
			continue
		}
		if n > 5 && strings.ContainsAny(alphabet, "Aa") && !strings.ContainsAny(s, "ABCDEFabcdefghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ") {
			continue
		}
		if strings.ContainsAny(s[:1]+s[n-1:], "-_+/.") {
			continue
		}
		return s
	}
}

// shaped fills a form in: {A36} is 36 characters of the alphabet A, {U} a UUID.
func shaped(r *rand.Rand, form string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(form, "{")
		b.WriteString(strings.ReplaceAll(before, "+", ""))
		if !ok {
			return b.String()
		}
		spec, after, _ := strings.Cut(rest, "}")
		if spec == "U" {
			b.WriteString(uuid(r))
		} else {
			n, err := strconv.Atoi(spec[1:])
			if err != nil {
				panic(err)
			}
			b.WriteString(letters(r, alphabets[spec[0]], n))
		}
		form = after
	}
}

func uuid(r *rand.Rand) string {
	return letters(r, lowHex, 8) + "-" + letters(r, lowHex, 4) + "-4" + letters(r, lowHex, 3) + "-a" + letters(r, lowHex, 3) + "-" + letters(r, lowHex, 12)
}

// pick returns one of the words.
func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func heldoutName(r *rand.Rand) string {
	return pick(r, "brigitte", "okafor", "iroth", "j.smith", "tanaka_k", "piotr", "ana-maria", "d0342", "marie", "xu")
}

// bytesOf returns n bytes.
func bytesOf(r *rand.Rand, n int) []byte {
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.IntN(256))
	}
	return out
}

// heldoutForms are values that a form describes.
var heldoutForms = map[string]string{
	"pw24": "{A24}", "pw40": "{A40}", "hex32": "{h32}", "hex40": "{h40}", "hex64": "{h64}", "HEX32": "{H32}", "uuid": "{U}", "lower52": "{l52}", "aws40": "{b40}",
	"amzcred": "AK+IA{u16}%2F20260304%2Feu-west-1%2Fs3%2Faws4_request", "aws4": "Credential=AK+IA{u16}/20260304/eu-west-1/s3/aws4_request, SignedHeaders=host;x-amz-date, Signature={h64}",
	"digest": "username=\"ci\", realm=\"x\", nonce=\"{h32}\", uri=\"/\", response=\"{h32}\"", "slackhook": "T{u8}/B{u8}/{A24}", "discordhook": "{d18}/{w68}",
	"teamshook": "{U}@{U}/IncomingWebhook/{h32}/{U}", "kubeadm": "{l6}.{l16}", "k3s": "K10{h64}::server:{h32}", "boundary": "at_{A24}", "runnertok": "A{u28}", "bearer": "Bearer {A40}", "django": "django-insecure-{w40}", "base32": "{u32}", "githubcut": "gh+p_{A20}", "gitlabcut": "gl+pat-{w14}", "atpw": "{A5}@{A6}", "signedsid": "s%3A{A24}", "oauthbasic": "x-oauth-basic", "pctpw": "{A5}%23{A6}%2F{A2}", "hash24": "{A22}==", "laravel": "base64:{b43}=", "userpw": "ci:{A14}", "gitlabci": "{A20}",
	"body": "MII{b61}", "last": "{b30}==", "bodyesc": "MII{b61}\\n{b64}\\n{b30}==", "bodyesc2": "MII{b61}\\\\n{b64}\\\\n{b30}==", "puttybody": "{b48}\nPrivate-MAC: {h64}",
	"rfc1421": "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{H32}\n\n{b64}", "pgpversion": "Version: GnuPG v2\n\n{b64}",
	"jwt": "ey" + "JhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.ey" + "J{w80}.{w86}", "jwe": "ey" + "JhbGciOiJkaXIiLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0..{w22}.{w60}.{w22}",
	"jwtwrapped": "ey" + "JhbGciOiJSUzI1NiIsImtpZCI6IjEifQ.ey" + "J{w40}\n{w60}\n{w30}.{w60}\n{w40}", "sym": "{A5}#{A3}!{A4}*{A3}",
	// Benign ones.
	"hex7": "{h7}", "hex12": "{h12}", "hex16": "{h16}", "HEX16": "{H16}", "HEX40": "{H40}", "b64nopad": "{b43}", "b64four": "{A4}", "nix32": "{l32}",
}

// heldoutKinds are values that take more than a form.
var heldoutKinds = map[string]func(r *rand.Rand) planted{
	"pw":        func(r *rand.Rand) planted { return redacted(letters(r, alnum, 12+r.IntN(5))) },
	"b64":       func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 32))) },
	"b64short":  func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 13))) },
	"b64sum":    func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 32))) },
	"b64sum512": func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 64))) },
	"b64long":   func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 150))) },
	"azkey":     func(r *rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString(bytesOf(r, 64))) },
	"b64pct": func(r *rand.Rand) planted {
		return redacted(url.QueryEscape(base64.StdEncoding.EncodeToString(bytesOf(r, 32))))
	},
	"basic": func(r *rand.Rand) planted {
		return redacted(base64.StdEncoding.EncodeToString([]byte("ci:" + letters(r, alnum, 18))))
	},
	"word": func(r *rand.Rand) planted {
		return redacted(pick(r, "trombone", "marmalade", "correct-horse", "sunflower", "LetMeInPlease"))
	},
	"passphrase": func(r *rand.Rand) planted {
		return redacted(pick(r, "seven tall horses sing", "no more lemon cake", "rain falls on monday"))
	},
	"pemb64": func(r *rand.Rand) planted {
		return redacted(base64.StdEncoding.EncodeToString([]byte("-----BEGIN RSA PRIVATE" + " KEY-----\n" + letters(r, alphabets['b'], 64) + "\n" + letters(r, alphabets['b'], 40) + "\n-----END RSA PRIVATE" + " KEY-----\n")))
	},
	"ssha": func(r *rand.Rand) planted { return redacted("{SS" + "HA}" + letters(r, alnum, 38)) },
	"pemjson": func(r *rand.Rand) planted {
		return redacted("-----BEGIN PRIVATE" + " KEY-----\\n" + shaped(r, heldoutForms["bodyesc"]) + "\\n-----END PRIVATE" + " KEY-----\\n")
	},
	"sp":         func(r *rand.Rand) planted { return planted{text: " ", mark: " "} },
	"name":       func(r *rand.Rand) planted { return redacted(heldoutName(r)) },
	"nix":        homeIn("/home/", "$HOME"),
	"varhome":    homeIn("/var/home/", "$HOME"),
	"exporthome": homeIn("/export/home/", "$HOME"),
	"mac":        homeIn("/Users/", "$HOME"),
	"win":        homeIn(`C:\Users\`, "%USERPROFILE%"),
	"winjson":    homeIn(`D:\\Users\\`, "%USERPROFILE%"),
	"winslash":   homeIn("C:/Users/", "%USERPROFILE%"),
	"windoc":     homeIn(`C:\Documents and Settings\`, "%USERPROFILE%"),
	"unc":        homeIn(`\\fs1\Users\`, "%USERPROFILE%"),
	"wsl":        homeIn("/mnt/c/Users/", "$HOME"),
	"msys":       homeIn("/c/Users/", "$HOME"),
	"pcthome":    homeIn("%2Fhome%2F", "$HOME"),
	"winspace": func(r *rand.Rand) planted {
		name := pick(r, "Ines Roth", "J. van Dam", "Ana Maria Silva")
		return planted{`C:\Users\` + name, name, "%USERPROFILE%"}
	},
	"extrahome": func(*rand.Rand) planted { return planted{heldoutHome, heldoutHome, "$HOME"} },
	"ip": func(r *rand.Rand) planted {
		ip := pick(r, "10.31.4.9", "192.168.12.34", "172.20.3.14", "203.0.113.77", "198.51.100.23", "100.72.8.9", "169.254.169.254", "93.184.216.34", "142.250.74.110")
		return planted{ip, ip, "[IP]"}
	},
	"ipdash": func(*rand.Rand) planted { return planted{"ip-10-31-4-9", "10-31-4-9", "[IP]"} },
	"ip6": func(r *rand.Rand) planted {
		ip := pick(r, "2606:4700::6810:84e5", "fe80::1ff:fe23:4567:890a", "fd12:3456:789a:1::1", "2001:db8:85a3::8a2e:370:7334")
		return planted{ip, ip, "[IP]"}
	},
	"ip6zone": func(*rand.Rand) planted {
		return planted{"fe80::1ff:fe23:4567:890a%eth0", "fe80::1ff:fe23:4567:890a", "[IP]"}
	},
	"email": func(r *rand.Rand) planted {
		mail := pick(r, "k.imai@corp.test", "ines.roth@mail.corp.example", "piotr+ci@firma.pl", "ana_maria@univ.edu")
		return planted{mail, mail, "[EMAIL]"}
	},
	"user":       func(*rand.Rand) planted { return redacted(heldoutUser) },
	"known":      func(*rand.Rand) planted { return redacted(heldoutKnown) },
	"knownshort": func(*rand.Rand) planted { return redacted(heldoutKnownShort) },
	"knownline":  func(*rand.Rand) planted { return redacted(strings.Split(heldoutKnown, "\n")[1]) },
	"known:json": func(*rand.Rand) planted { return redacted(strings.Trim(strconv.Quote(heldoutKnown), `"`)) },
	"known:url":  func(*rand.Rand) planted { return redacted(url.QueryEscape(heldoutKnown)) },
	"known:html": func(*rand.Rand) planted { return redacted(html.EscapeString(heldoutKnown)) },
	"known:shell": func(*rand.Rand) planted {
		return redacted(strings.ReplaceAll(heldoutKnown, "'", `'\''`))
	},
	"known:hex": func(*rand.Rand) planted { return redacted(hexcoding.EncodeToString([]byte(heldoutKnown))) },
	"known:HEX": func(*rand.Rand) planted {
		return redacted(strings.ToUpper(hexcoding.EncodeToString([]byte(heldoutKnown))))
	},
	"known:b64":    func(*rand.Rand) planted { return redacted(base64.StdEncoding.EncodeToString([]byte(heldoutKnown))) },
	"known:b64url": func(*rand.Rand) planted { return redacted(base64.RawURLEncoding.EncodeToString([]byte(heldoutKnown))) },
}

// redacted is a credential: all of it has to go.
func redacted(text string) planted { return planted{text, text, "[REDACTED]"} }

func homeIn(prefix, mark string) func(r *rand.Rand) planted {
	return func(r *rand.Rand) planted {
		name := heldoutName(r)
		return planted{prefix + name, name, mark}
	}
}

// heldoutValue makes a value of the kind that a placeholder names.
func heldoutValue(r *rand.Rand, kind string) planted {
	kind = strings.TrimPrefix(kind, "+")
	if name, benign := strings.CutPrefix(kind, "="); benign {
		p := heldoutValue(r, name)
		return planted{text: p.text, mark: p.text}
	}
	if strings.HasPrefix(kind, "{") {
		return redacted(shaped(r, kind))
	}
	if form, ok := heldoutForms[kind]; ok {
		return redacted(shaped(r, form))
	}
	if make, ok := heldoutKinds[kind]; ok {
		return make(r)
	}
	for _, v := range vendorShapes {
		if v.name == kind {
			return redacted(shaped(r, v.shape))
		}
	}
	panic(fmt.Sprintf("no kind of value %q", kind))
}
