package mend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The grid puts every kind of name into every form with every kind of value. N is the
// name and V the value in a form.
var (
	gridAssignments = []string{
		"N=V", "export N=\"V\"", "N='V' ./run", `{"N":"V"}`, `"N": "V",`, `{'N': 'V'}`, `N: "V"`, `N = "V"`, "N='V'", "<N>V</N>", "frob --N=V -x", `$N = "V";`,
		`N := "V"`, `"N" => "V",`, `{\"N\":\"V\"}`, "{&quot;N&quot;:&quot;V&quot;}", `<add key="N" value="V"/>`, "- name: N\n  value: \"V\"", "a:\n  N: |\n    V\n  b: 1", "N=V; x=1",
		"{N=V, a=b}", "Conf(a=1, N='V')", "a=1 N=V b=2", "{\"a\": {\"N\": \"V\"}}", "[N=\"V\"]", "\"N=V\"", "  N=V\n  b=2", "x | N=V", `conf["N"] = "V"`, "N:'V'",
	}
	gridProse = []string{
		"N: V", "N = V", "N : V", "frob --N V -x", "N\tV", "N: V, b: 1", "{N: V, b: 1}", "N：V", "found N: V in b", "a: 1\nN: V\nb: 2", "  N: V", "N => V", "- N: V", "# N: V", "N: V.", "(N: V)", "N:V",
	}
	gridStrong = []string{
		"password", "db_passwd", "PASSPHRASE", "smtpPass", "mysql_pwd", "rootpw", "wpa_psk", "bindpw", "clientSecret", "APP_SECRETS", "git.credential", "apikey", "api_key", "API-KEY", "awsSecretAccessKey",
		"privateKey", "storage_account_key", "MASTER_KEY", "encryptionKey", "signing-key", "app_key", "AUTH_KEY", "serviceKey", "Subscription-Key", "sharedKey", "api_token", "authToken", "ACCESS_TOKEN", "refreshToken",
		"session_token", "security-token", "GITLAB_TOKEN", "DEPLOY_PAT", "password2", "api_key_prod", "SECRET_KEY_OLD", "spring.datasource.password", "apiKeyTest", "X-Api-Key", "pgpassword", "secretValue",
	}
	gridWeak  = []string{"token", "key", "auth", "pat", "jwt", "bearer", "session", "sid", "my_key", "ciToken", "edge-token"}
	gridNever = []string{
		"token_type", "password_file", "secretName", "max_tokens", "public_key", "primaryKey", "foreign_key", "sort-key", "partitionKey", "CACHE_KEY", "host_key", "key_token", "key_id", "secret_version", "tokenCount",
		"passwordLength", "tokenizer", "authority", "author", "passenger", "compass", "keyboard", "monkey", "session_count", "cookie_path", "patch", "patience", "sidecar", "dsn_name", "jwt_issuer", "keyring", "passed",
		"bypass", "secretary", "authenticated", "token_url", "credentialsPath", "passwordPolicy", "apiKeyHeader", "commit", "image", "checksum", "build",
	}
	gridSecrets = []string{"{A16}", "{h32}", "{b43}=", "{U}", "{A5}#{A3}!{A4}*{A3}", "{A24}", "{w40}"}
	gridShort   = []string{"{A8}", "{l6}9", "{A10}"} // for strong names
	gridBenign  = []string{
		"", "true", "null", "none", "required", "missing", "expired", "$N", "${N}", "%N%", "{{ .x }}", "<password>", "[hidden]", "(unset)", "YOUR_N", "********", "xxxxxxxx", "...", "/run/secrets/x", "./conf/x", "https://h.example.org/x",
		"12", "30s", "enabled", "[REDACTED]", "\"\"",
	}
)

// gridBlocks pairs each name with each form, and takes the values in turn.
func gridBlocks() (planted, benign []heldoutBlock) {
	turn := 0
	next := func(list []string) string {
		turn++
		return list[turn%len(list)]
	}
	block := func(origin, form, name, value string) heldoutBlock {
		text := strings.NewReplacer("N", name, "V", value).Replace(form)
		return heldoutBlock{"grid:" + origin, text, true}
	}
	each := func(names, forms []string, put func(name, form string)) {
		for _, name := range names {
			for _, form := range forms {
				if strings.Contains(form, "$N") && strings.ContainsAny(name, "-.") {
					continue // no variable has such a name
				}
				put(name, form)
			}
		}
	}
	forms := append(gridAssignments[:len(gridAssignments):len(gridAssignments)], gridProse...)
	each(gridStrong, forms, func(name, form string) {
		planted = append(planted, block("strong", form, name, "⟨"+next(gridSecrets)+"⟩"), block("short", form, name, "⟨"+next(gridShort)+"⟩"))
		benign = append(benign, block("benign", form, name, strings.ReplaceAll(next(gridBenign), "N", "OTHER")))
	})
	each(gridStrong, gridAssignments, func(name, form string) {
		planted = append(planted, block("word", form, name, "⟨word⟩"))
	})
	each(gridWeak, forms, func(name, form string) {
		planted = append(planted, block("weak", form, name, "⟨"+next(gridSecrets)+"⟩"))
		benign = append(benign, block("weak", form, name, next([]string{"value", "main", "user-name", "v1.2.3", "12", "en_US", "build.cache", "none"})))
	})
	each(gridNever, forms, func(name, form string) {
		benign = append(benign, block("never", form, name, "⟨"+next(gridSecrets)+"⟩"))
	})
	return planted, benign
}

// TestSanitizerGrid holds that every name, form and value that the grid pairs comes out
// right.
func TestSanitizerGrid(t *testing.T) {
	planted, benign := gridBlocks()
	for i := range benign {
		benign[i].text = strings.ReplaceAll(benign[i].text, "⟨", "⟨=")
	}
	f := measureSanitizer(t, heldoutCases(planted), heldoutCases(benign))
	t.Log(f)
	assert.Equal(t, f.texts, f.strict)
	assert.Equal(t, f.benign, f.kept)
}
