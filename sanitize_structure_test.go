package mend_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSanitizerPrivateKeys(t *testing.T) {
	body := fakeBody + "\n" + fakeBody[:40] + "\n" + "Zr4tQm81=="
	pem := beginKey + "\n" + body + "\n" + endKey
	want := beginKey + "\n[REDACTED]\n" + endKey
	escaped := strings.ReplaceAll(pem, "\n", `\n`)
	encoded := base64.StdEncoding.EncodeToString([]byte(pem + "\n"))
	public := strings.NewReplacer("EC PRIVATE", "PUBLIC").Replace(pem)
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{pem, want},
		{"a\n" + pem + "\nb", "a\n" + want + "\nb"},
		{strings.ReplaceAll(pem, "\n", "\r\n"), strings.ReplaceAll(want, "\n", "\r\n")},
		{"  " + strings.ReplaceAll(pem, "\n", "\n  "), "  " + strings.ReplaceAll(want, "\n", "\n  ")},
		{beginKey + "\n" + body, beginKey + "\n[REDACTED]"},
		{beginKey + "\n" + body + "\nerror: cut off here", beginKey + "\n[REDACTED]\nerror: cut off here"},
		{beginKey + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n" + body + "\nok then", beginKey + "\n[REDACTED]\nok then"},
		{"12:01 out | " + strings.ReplaceAll(pem, "\n", "\n12:01 out | "), "12:01 out | " + strings.ReplaceAll(want, "\n", "\n12:01 out | ")},
		{"x '" + escaped + "' y", "x '" + beginKey + `\n[REDACTED]\n` + endKey + "' y"},
		{"data " + encoded + " end", "data [REDACTED] end"},
		{strings.ReplaceAll(pem, "EC PRIVATE KEY", "OPENSSH PRIVATE"+" KEY"), strings.ReplaceAll(want, "EC PRIVATE KEY", "OPENSSH PRIVATE"+" KEY")},
		{strings.ReplaceAll(pem, "EC PRIVATE KEY", "PGP PRIVATE KEY"+" BLOCK"), strings.ReplaceAll(want, "EC PRIVATE KEY", "PGP PRIVATE KEY"+" BLOCK")},
		{strings.ReplaceAll(pem, "EC PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE"+" KEY"), strings.ReplaceAll(want, "EC PRIVATE KEY", "ENCRYPTED COSIGN PRIVATE"+" KEY")},
		{"Public-Lines: 1\nAAAA\nPrivate-" + "Lines: 1\n" + fakeBody + "\nPrivate-MAC: 9f2c7be1", "Public-Lines: 1\nAAAA\nPrivate-" + "Lines: 1\n[REDACTED]"},
		{in: public},
		{in: strings.ReplaceAll(public, "PUBLIC KEY", "CERTIFICATE")},
		{in: strings.ReplaceAll(public, "PUBLIC KEY", "PGP SIGNATURE")},
		{in: "no line BEGIN PRIVATE KEY in the file"},
		{in: base64.StdEncoding.EncodeToString([]byte(public))},
	})
}

func TestSanitizerJWT(t *testing.T) {
	parts := strings.Split(fakeJWT, ".")
	wrapped := fakeJWT[:76] + "\n" + fakeJWT[76:]
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"got JWT.", "got [REDACTED]."},
		{"got " + parts[0] + "." + parts[1] + ". (unsigned)", "got [REDACTED] (unsigned)"},
		{"jwe " + parts[0] + ".." + parts[2] + "." + parts[1] + "." + parts[2], "jwe [REDACTED]"},
		{"x=" + wrapped + "\nok", "x=[REDACTED]\nok"},
		{in: "eyJ is how it begins, eyJhbGci is more"},
		{in: "keyJhbGciOiJIUzI1NiJ9"},
	})
}

func TestSanitizerPasswordHashes(t *testing.T) {
	rest := "Zr4tQm81LpXv92Ks$" + strings.Repeat("Wd7nTb3YcFh6JgRa5MEu0G", 4)
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"root:$" + "6$" + rest + ":19000:0", "root:[REDACTED]:19000:0"},
		{"$" + "5$" + rest[:60], "[REDACTED]"},
		{"$" + "1$Zr4tQm81$Wd7nTb3YcFh6JgRa5MEu0G", "[REDACTED]"},
		{"$" + "y$j9T$" + rest[:66], "[REDACTED]"},
		{"admin:$" + "2y$10$" + "Zr4tQm81LpXv92KsWd7nTb3YcFh6JgRa5MEu0GiBxPqNyDkSoCzVw", "admin:[REDACTED]"},
		{"$" + "apr1$Zr4tQm81$Wd7nTb3YcFh6JgRa5MEu0G", "[REDACTED]"},
		{"$" + "argon2id$v=19$m=65536,t=3,p=4$Zr4tQm81LpXv92Ks$Wd7nTb3YcFh6JgRa5MEu0GiBxPqNyDkSoCzVw", "[REDACTED]"},
		{"pbkdf2_" + "sha256$600000$Zr4tQm81LpXv$Wd7nTb3YcFh6JgRa5MEu0GiBxPqNyDkSoCzVwHjAfU=", "[REDACTED]"},
		{"{SS" + "HA}Zr4tQm81LpXv92KsWd7nTb3YcFh6JgRa5MEu", "[REDACTED]"},
		{in: "$1$2$3"}, {in: "price $6$7"}, {in: "echo $1$foo"}, {in: "pbkdf2_sha256 is the default"}, {in: "{SSHA} or {CRYPT}"},
	})
}

func TestSanitizerURLs(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"https://ada:tr0mbone@example.org/x", "https://ada:[REDACTED]@example.org/x"},
		{"https://ada:trombone@localhost/x", "https://ada:[REDACTED]@localhost/x"},
		{"redis://:tr0mbone@cache:6379/0", "redis://:[REDACTED]@cache:6379/0"},
		{"postgres://app:p@ss/w0rd@db.example.org/x", "postgres://app:[REDACTED]@db.example.org/x"},
		{"postgres://app:pw12@db/x", "postgres://app:[REDACTED]@db/x"},
		{"https://Zr4tQm81LpXv92KsWd7n@example.org/x", "https://[REDACTED]@example.org/x"},
		{"https://x-access-token:Zr4tQm81LpXv92KsWd7n@example.org/x", "https://x-access-token:[REDACTED]@example.org/x"},
		{"amqp://app:tr0mbone@10.1.2.3:5672/", "amqp://app:[REDACTED]@[IP]:5672/"},
		{"app:tr0mbone@tcp(db:3306)/main", "app:[REDACTED]@tcp(db:3306)/main"},
		{"app:tr0mbone@unix(/run/x.sock)/main", "app:[REDACTED]@unix(/run/x.sock)/main"},
		{"jdbc:oracle:thin:app/tr0mbone@db:1521:x", "jdbc:oracle:thin:app/[REDACTED]@db:1521:x"},
		{"host=db user=app password=tr0mbone dbname=x", "host=db user=app password=[REDACTED] dbname=x"},
		{"https://hooks.slack.com/services/T0AB12CD3/B0AB12CD3/Zr4tQm81LpXv92Ks failed", "https://hooks.slack.com/services/[REDACTED] failed"},
		{"https://discord.com/api/webhooks/123456789012/Zr4tQm81LpXv-92Ks", "https://discord.com/api/webhooks/[REDACTED]"},
		{"https://api.telegram.org/bot123456789:" + "AAZr4tQm81LpXv92KsWd7nTb3YcFh6JgRa5/getMe", "https://api.telegram.org/bot[REDACTED]/getMe"},
		{"https://acme.webhook.office.com/webhookb2/3f2b8c1e-12d4@x/IncomingWebhook/abc", "https://acme.webhook.office.com/webhookb2/[REDACTED]"},
		{in: "https://git@github.com/x/y.git"}, {in: "ssh://git@github.com:22/x/y.git"}, {in: "https://example.org:8080/a@b.org"}, {in: "https://registry.npmx.test/@scope/pkg"},
		{in: "https://user:password@example.org/"}, {in: "https://user:$PASS@example.org/"}, {in: "ftp://user[:password]@example.org/x"}, {in: "https://example.org/a:b@c"},
		{in: "https://hooks.slack.com/services/..."}, {in: "https://discord.com/api/webhooks/<id>/<token>"}, {in: "jdbc:oracle:thin:@db:1521:x"}, {in: "file:///a:b@c.d"},
		{in: "see https://example.org and mail ada@example.org"},
	})
}

func TestSanitizerHeaders(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"Authorization: Basic Zm9vOmJhcg==", "Authorization: Basic [REDACTED]"},
		{"authorization: token Zr4tQm81LpXv", "authorization: token [REDACTED]"},
		{"Authorization: Zr4tQm81LpXv", "Authorization: [REDACTED]"},
		{"Proxy-Authorization: Basic Zm9vOmJhcg==", "Proxy-Authorization: Basic [REDACTED]"},
		{`-H "Authorization: Bearer Zr4tQm81LpXv" https://x`, `-H "Authorization: Bearer [REDACTED]" https://x`},
		{`-H 'Authorization: Bearer Zr4tQm81LpXv' https://x`, `-H 'Authorization: Bearer [REDACTED]' https://x`},
		{`{"Authorization": "Bearer Zr4tQm81LpXv", "x": 1}`, `{"Authorization": "Bearer [REDACTED]", "x": 1}`},
		{`{'Authorization': 'Bearer Zr4tQm81LpXv'}`, `{'Authorization': 'Bearer [REDACTED]'}`},
		{`map[Authorization:[Bearer Zr4tQm81LpXv] Accept:[x]]`, `map[Authorization:[Bearer [REDACTED]] Accept:[x]]`},
		{`{\"Authorization\":\"Bearer Zr4tQm81LpXv\"}`, `{\"Authorization\":\"Bearer [REDACTED]\"}`},
		{`Authorization: Digest username="ada", realm="x", response="9f2c7be104d3"`, `Authorization: Digest [REDACTED]`},
		{"Authorization: AWS4-HMAC-SHA256 Credential=AK/2026/x, Signature=9f2c7be104d3", "Authorization: AWS4-HMAC-SHA256 [REDACTED]"},
		{"Authorization=Bearer%20Zr4tQm81LpXv", "Authorization=Bearer%20[REDACTED]"},
		{"[authorization: Bearer Zr4tQm81LpXv, accept: x]", "[authorization: Bearer [REDACTED], accept: x]"},
		{"sent Bearer Zr4tQm81LpXv92 twice", "sent Bearer [REDACTED] twice"},
		{"sent Basic Zm9vOmJhcjEyMzQ1Ng== twice", "sent Basic [REDACTED] twice"},
		{"Authorization: Basic 'Zm9vOmJhcjEyMzQ1Ng=='", "Authorization: Basic '[REDACTED]'"},
		{`failed with Authorization: Bearer "Zr4tQm81LpXv" again`, `failed with Authorization: Bearer "[REDACTED]" again`},
		{`{"auth":"Bearer \"Zr4tQm81LpXv92\""}`, `{"auth":"Bearer \"[REDACTED]\""}`},
		{in: "Authorization: Bearer 'TOKEN'"}, {in: "a Bearer 'configuration' value"},
		{"Cookie: sid=Zr4tQm81Lp; theme=dark; id=3f2b8c1e12", "Cookie: sid=[REDACTED]; theme=dark; id=[REDACTED]"},
		{"Set-Cookie: sid=Zr4tQm81Lp; Path=/; Expires=Wed, 01 Jan 2026", "Set-Cookie: sid=[REDACTED]; Path=/; Expires=Wed, 01 Jan 2026"},
		{"curl --cookie 'sid=Zr4tQm81Lp' x", "curl --cookie 'sid=[REDACTED]' x"},
		{in: "Authorization: required"}, {in: "authorization: failed for this user"}, {in: "Authorization: Bearer <token>"}, {in: "Authorization: Bearer $TOKEN"},
		{in: "WWW-Authenticate: Basic realm=\"x\""}, {in: "WWW-Authenticate: Digest realm=\"x\", nonce=\"abc123\""}, {in: "the bearer token is missing"}, {in: "basic authentication is off"},
		{in: "Authorization header is missing"}, {in: "Cookie: theme=dark"}, {in: "cookies: enabled"}, {in: "Basic 64bit support"},
	})
}

func TestSanitizerCommandLines(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"curl -u ada:tr0mbone https://x", "curl -u ada:[REDACTED] https://x"},
		{"+ curl -s --user 'ada:tr0mbone' https://x", "+ curl -s --user 'ada:[REDACTED]' https://x"},
		{"wget --user=ada --password=tr0mbone x", "wget --user=ada --password=[REDACTED] x"},
		{"mysql -uroot -ptr0mbone db", "mysql -uroot -p[REDACTED] db"},
		{"mysqldump -u root -p'tr0mbone' db", "mysqldump -u root -p'[REDACTED]' db"},
		{"sshpass -p tr0mbone ssh x", "sshpass -p [REDACTED] ssh x"},
		{"redis-cli -h x -a tr0mbone ping", "redis-cli -h x -a [REDACTED] ping"},
		{"docker login -u ada -p tr0mbone quay.io", "docker login -u ada -p [REDACTED] quay.io"},
		{"openssl rsa -passin pass:trombone -in x", "openssl rsa -passin pass:[REDACTED] -in x"},
		{"machine x.test login ada password trombone", "machine x.test login ada password [REDACTED]"},
		{"machine x.test⏎  login ada⏎  password trombone", "machine x.test⏎  login ada⏎  password [REDACTED]"},
		{"db.example.org:5432:main:app:trombone", "db.example.org:5432:main:app:[REDACTED]"},
		{"*:*:*:app:trombone", "*:*:*:app:[REDACTED]"},
		{"::add-mask::trombone", "::add-mask::[REDACTED]"},
		{"##vso[task.setvariable variable=x;issecret=true]trombone", "##vso[task.setvariable variable=x;issecret=true][REDACTED]"},
		{in: "curl -u ada https://x"}, {in: "curl -u <user>:<password> https://x"}, {in: "docker run -p 8080:80 nginx"}, {in: "mysql -p db"}, {in: "mysql --port=3306"},
		{in: "redis-cli -a"}, {in: "sshpass -p PASSWORD ssh x"}, {in: "the password login is off"}, {in: "root:x:0:0:root:/root:/bin/bash"}, {in: "a.go:12:34:x:y"}, {in: "add-mask"},
		{in: "curl: (22) The requested URL returned error: 404"}, {in: "openssl: pass:phrase"}, {in: "usage: curl [-u user:password] URL"},
	})
}

func TestSanitizerPasswordFiles(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"db1:5432:app:app:trombone", "db1:5432:app:app:[REDACTED]"},
		{"10.31.4.9:5432:*:app:trombone", "[IP]:5432:*:app:[REDACTED]"},
		{"*:*:*:*:trombone", "*:*:*:*:[REDACTED]"},
		{`db1:5432:app:app:tro\:mbone`, `db1:5432:app:app:[REDACTED]`},
		{`db1:5432:a\:b:app:trombone`, `db1:5432:a\:b:app:[REDACTED]`},
		{"# mine⏎db1:5432:app:app:trombone⏎db2:5432:app:app:marmalade⏎", "# mine⏎db1:5432:app:app:[REDACTED]⏎db2:5432:app:app:[REDACTED]⏎"},
		{"/run/postgresql:5432:app:app:trombone", "/run/postgresql:5432:app:app:[REDACTED]"},
		{"web-1  | db1:5433:app:app:Zr4tQm81LpXv", "web-1  | db1:5433:app:app:[REDACTED]"},
		{"web-1  | db1:5432:app:app:trombone", "web-1  | db1:5432:app:app:[REDACTED]"},
		{in: "db1:5432:app:app"}, {in: "db1:5432:app:app:a:b"}, {in: "db1:54:app:app:trombone"}, {in: "db1:port:app:app:trombone"}, {in: "db1:5432:app:app:"},
		{in: "hostname:port:database:username:password"}, {in: "12:34:56:78:90"}, {in: "at a.go:1234:12:error:foo"}, {in: "db1:5432:app:app:$PGPASSWORD"}, {in: "daemon:*:19790:0:99999:7:::"},
		{"machine a.test login ada account x password tr0mbone", "machine a.test login ada account x password [REDACTED]"},
		{"default login ada password tr0mbone", "default login ada password [REDACTED]"},
		{in: "machine a.test login ada password"}, {in: "machine HOST login USER password PASSWORD"}, {in: "the machine asks for a login and a password twice"},
	})
}

func TestSanitizerConnectionPairs(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"DSN=prod;UID=app;PWD=tr0mbone", "DSN=prod;UID=app;PWD=[REDACTED]"},
		{"Driver={ODBC Driver 18};Server=sql1,1433;Uid=app;Pwd={ab;cd}}e};Encrypt=no", "Driver={ODBC Driver 18};Server=sql1,1433;Uid=app;Pwd={[REDACTED]};Encrypt=no"},
		{"Server=sql1;User Id=app;Password='a b;c';Pooling=true", "Server=sql1;User Id=app;Password='[REDACTED]';Pooling=true"},
		{`Server=sql1;Password="a b;c";Pooling=true`, `Server=sql1;Password="[REDACTED]";Pooling=true`},
		{"AccountName=a;AccountKey=Zr4tQm81LpXv92KsWd7nTb3YcFh6==;EndpointSuffix=core", "AccountName=a;AccountKey=[REDACTED];EndpointSuffix=core"},
		{"Endpoint=sb://b.example.org/;SharedAccessKeyName=x;SharedAccessKey=Zr4tQm81LpXv92Ks=", "Endpoint=sb://b.example.org/;SharedAccessKeyName=x;SharedAccessKey=[REDACTED]"},
		{"host=db1 user=app password='a b' dbname=x", "host=db1 user=app password='[REDACTED]' dbname=x"},
		{"jdbc:sqlserver://sql1:1433;user=app;password=tr0mbone;encrypt=true", "jdbc:sqlserver://sql1:1433;user=app;password=[REDACTED];encrypt=true"},
		{"dsn='mysql://app:tr0mbone@db1/x'", "dsn='mysql://app:[REDACTED]@db1/x'"},
		{"ci-token:Zr4tQm81LpXv@git.corp.test/a/b", "ci-token:[REDACTED]@git.corp.test/a/b"},
		{in: "Server=sql1;Trusted_Connection=yes;"}, {in: "Server=sql1;Integrated Security=SSPI;Pwd=;"}, {in: "Driver={SQLite3};Database=/srv/a.db"}, {in: "PWD=/srv/app;UID=0"}, {in: "Pwd={0};"}, {in: "UID=app;PWD=$(pass db)"},
	})
}

func TestSanitizerWrappedTokens(t *testing.T) {
	parts := strings.Split(fakeJWT, ".")
	long := fakeJWT + madeOf(mixed, 120)
	for _, at := range [][]int{{70}, {64, 128}, {76, 140, 200}} {
		for _, end := range []string{"\n", "\r\n", "\n    "} {
			wrapped, from := "", 0
			for _, k := range at {
				wrapped += long[from:k] + end
				from = k
			}
			wrapped += long[from:]
			assert.Equal(t, "token [REDACTED]\nthe next line", unlimited.Sanitize("token "+wrapped+"\nthe next line"), "%q at %v", end, at)
		}
	}
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"got " + fakeJWT + "\nWednesday", "got [REDACTED]\nWednesday"},
		{"got " + fakeJWT + "\nerror-in-the-next-line-without-a-blank", "got [REDACTED]\nerror-in-the-next-line-without-a-blank"},
		{in: parts[0] + "\n" + parts[1][:8] + " is not one"},
	})
}

func TestSanitizerAWSPairs(t *testing.T) {
	id, secret := "AK"+"IAZR4TQM81LPXV92KS", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzr4tQm81Lp"
	for _, between := range []string{" ", ":", ",", "\n", "\", \"", " / "} {
		assert.Equal(t, "[REDACTED]"+between+"[REDACTED]", unlimited.Sanitize(id+between+secret))
	}
	assert.Equal(t, secret, unlimited.Sanitize(secret), "alone it is no more than a run of letters")
}
