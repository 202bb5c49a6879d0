package mend_test

import "testing"

func TestSanitizerLabelledAssignments(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"PASSWORD=hunter", "PASSWORD=[REDACTED]"},
		{"db_password=tr0mbone;", "db_password=[REDACTED];"},
		{"pgpassword=trombone", "pgpassword=[REDACTED]"},
		{"dbpw=trombone", "dbpw=[REDACTED]"},
		{"bindpw=trombone", "bindpw=[REDACTED]"},
		{"wpa_psk=trombone1", "wpa_psk=[REDACTED]"},
		{"MYSQL_PWD=trombone mysql -h db", "MYSQL_PWD=[REDACTED] mysql -h db"},
		{"passphrase='correct horse battery staple'", "passphrase='[REDACTED]'"},
		{"secretKey='ab cd'", "secretKey='[REDACTED]'"},
		{"AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYzr4tQm81Lp", "AWS_SECRET_ACCESS_KEY=[REDACTED]"},
		{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzr4tQm81Lp", "aws_secret_access_key = [REDACTED]"},
		{"GITHUB_TOKEN=trombone", "GITHUB_TOKEN=[REDACTED]"},
		{"MY_PAT=trombone", "MY_PAT=[REDACTED]"},
		{"access_token=trombone", "access_token=[REDACTED]"},
		{"client-key-data: LS0tWd7nTb3YcFh6", "client-key-data: [REDACTED]"},
		{"AccountKey=Zr4tQm81LpXv92KsWd7nTb3YcFh6==;EndpointSuffix=core", "AccountKey=[REDACTED];EndpointSuffix=core"},
		{"SharedAccessKey=Zr4tQm81LpXv92Ks=", "SharedAccessKey=[REDACTED]"},
		{"//registry.npmx.test/:_authToken=3f2b8c1e-12d4-4a3b-9c8d-7e6f5a4b3c2d", "//registry.npmx.test/:_authToken=[REDACTED]"},
		{"_auth=Zm9vOmJhcjEyMzQ1Ng==", "_auth=[REDACTED]"},
		{"API_KEY_PROD=tr0mbone", "API_KEY_PROD=[REDACTED]"},
		{"apiKey2=tr0mbone", "apiKey2=[REDACTED]"},
		{"password_old=tr0mbone", "password_old=[REDACTED]"},
		{"SECRET_KEY_BASE64=Zm9vOmJh", "SECRET_KEY_BASE64=[REDACTED]"},
		{"token=ab12cd", "token=[REDACTED]"},
		{"session=3f2b8c1e12d44a3b", "session=[REDACTED]"},
		{"jwt=Zr4tQm81LpXv", "jwt=[REDACTED]"},
		{"sid=Zr4tQm81LpXv&x=1", "sid=[REDACTED]&x=1"},
		{`{"password":"hunter2"}`, `{"password":"[REDACTED]"}`},
		{`{"password" : "hunter2"}`, `{"password" : "[REDACTED]"}`},
		{`{\"password\":\"hunter2\",\"user\":\"x\"}`, `{\"password\":\"[REDACTED]\",\"user\":\"x\"}`},
		{`{\\\"password\\\":\\\"hunter2\\\"}`, `{\\\"password\\\":\\\"[REDACTED]\\\"}`},
		{`{&quot;password&quot;:&quot;hunter2&quot;}`, `{&quot;password&quot;:&quot;[REDACTED]&quot;}`},
		{`{'api_key': 'hunter 2'}`, `{'api_key': '[REDACTED]'}`},
		{`{'api_key': b'hunter 2'}`, `{'api_key': b'[REDACTED]'}`},
		{`config["password"] = "hunter2"`, `config["password"] = "[REDACTED]"`},
		{`:password => "hunter2"`, `:password => "[REDACTED]"`},
		{`password := "hunter2"`, `password := "[REDACTED]"`},
		{`<password>hunter2</password>`, `<password>[REDACTED]</password>`},
		{`<add key="ApiKey" value="hunter2"/>`, `<add key="ApiKey" value="[REDACTED]"/>`},
		{`{"name": "DB_PASSWORD", "value": "hunter2"}`, `{"name": "DB_PASSWORD", "value": "[REDACTED]"}`},
		{"- name: DB_PASSWORD⏎  value: hunter2x", "- name: DB_PASSWORD⏎  value: [REDACTED]"},
		{"- name: DB_PASSWORD⏎  value: \"hunter2\"", "- name: DB_PASSWORD⏎  value: \"[REDACTED]\""},
		{"password%3Dhunter2%26x%3D1", "password%3D[REDACTED]%26x%3D1"},
		{"密码 password：hunter2x", "密码 password：[REDACTED]"},
		{"token\\u003dhunter2x\\u0026y", "token\\u003d[REDACTED]\\u0026y"},
		{"secret: |⏎  first line⏎  second line⏎next: 1", "secret: |⏎  [REDACTED]⏎next: 1"},
		{"Pwd={ab;cd};Server=x", "Pwd={[REDACTED]};Server=x"},
		{"password=abc$def!", "password=[REDACTED]"},
		{"password=p@ss.word.", "password=[REDACTED]."},
		{`password="unfinished and cut`, `password="[REDACTED]`},
		{"https://x.test/cb?access_token=trombone&state=1", "https://x.test/cb?access_token=[REDACTED]&state=1"},
		{"https://x.test/cb?key=abc1DEF2&state=1", "https://x.test/cb?key=[REDACTED]&state=1"},
		{"https://x.test/cb?code=SplxlOBe1&state=1", "https://x.test/cb?code=[REDACTED]&state=1"},
		{"https://x.test/b?sv=2020&sig=Zr4tQm81%2F&se=1", "https://x.test/b?sv=2020&sig=[REDACTED]&se=1"},
		{"export TOKEN='Zr4tQm81LpXv'", "export TOKEN='[REDACTED]'"},
		{"map[Password:[tr0mbone] X:[1]]", "map[Password:[[REDACTED]] X:[1]]"},
		{"$password = \"hunter2\";", "$password = \"[REDACTED]\";"},
		{"X-Api-Key: Zr4tQm81LpXv", "X-Api-Key: [REDACTED]"},
		{"PRIVATE-TOKEN: tr0mbone1", "PRIVATE-TOKEN: [REDACTED]"},
		{"USER=brigitte make", "USER=[REDACTED] make"},
		{"LOGNAME=brigitte", "LOGNAME=[REDACTED]"},
	})
}

func TestSanitizerLabelledProse(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"API key: Zr4tQm81LpXv was refused", "API key: [REDACTED] was refused"},
		{"the access token is bad: token: Zr4tQm81LpXv", "the access token is bad: token: [REDACTED]"},
		{"Password: hunter2x", "Password: [REDACTED]"},
		{"secret: trombone⏎", "secret: [REDACTED]⏎"},
		{"  - password: trombone", "  - password: [REDACTED]"},
		{"frob --password tr0mbone --x", "frob --password [REDACTED] --x"},
		{"frob --api-key Zr4tQm81LpXv", "frob --api-key [REDACTED]"},
		{"frob -password tr0mbone", "frob -password [REDACTED]"},
		{"DB_PASSWORD\ttr0mbone", "DB_PASSWORD\t[REDACTED]"},
		{"NAME   TOKEN          AGE⏎frob   Zr4tQm81LpXv   5d⏎", "NAME   TOKEN          AGE⏎frob   [REDACTED]   5d⏎"},
		{"| NAME | TOKEN        |⏎|------|--------------|⏎| frob | Zr4tQm81LpXv |⏎", "| NAME | TOKEN        |⏎|------|--------------|⏎| frob | [REDACTED] |⏎"},
		{"initial root password: Zr4t,Qm81", "initial root password: Zr4t,Qm81"}, // the value ends at the comma, too short
		{"initial root password: Zr4tQm81", "initial root password: [REDACTED]"},
		{"secret key = tr0mbone1", "secret key = [REDACTED]"},
	})
}

// TestSanitizerReadsWhatProgramsPrint holds forms that texts of real tools showed.
func TestSanitizerReadsWhatProgramsPrint(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		// Dumps and declarations.
		{`secret_key: Some("Zr4tQm81LpXv")`, `secret_key: Some("[REDACTED]")`}, {in: `secret_key: getenv("Zr4tQm81LpXv")`},
		{`["password"]=> string(12) "Zr4tQm81LpXv"`, `["password"]=> string(12) "[REDACTED]"`}, {`["password"]=>⏎  string(12) "Zr4tQm81LpXv"`, `["password"]=>⏎  string(12) "[REDACTED]"`},
		{`["apiKey":protected]=> string(12) "Zr4tQm81LpXv"`, `["apiKey":protected]=> string(12) "[REDACTED]"`}, {`password => <<"Zr4tQm81LpXv">>`, `password => <<"[REDACTED]">>`},
		{`let password: String = "Zr4tQm81LpXv";`, `let password: String = "[REDACTED]";`}, {`var password string = "tr0mbone"`, `var password string = "[REDACTED]"`}, {in: "var password string"}, {in: "password: String = null"},
		{`{password,"Zr4tQm81LpXv"}`, `{password,"[REDACTED]"}`}, {`define( 'DB_PASSWORD', 'Zr4tQm81LpXv' );`, `define( 'DB_PASSWORD', '[REDACTED]' );`}, {in: `{"password", "username"}`}, {in: `f("password", "Zr4tQm81LpXv" + x)`, want: `f("password", "[REDACTED]" + x)`}, {in: `a, "password", "Zr4tQm81LpXv"`},
		{`"args":["--user","app","--password","Zr4tQm81LpXv"]`, `"args":["--user","app","--password","[REDACTED]"]`}, {in: `["--password","--user"]`},
		{`knife[:secret] = "tr0mbone"`, `knife[:secret] = "[REDACTED]"`}, {in: "[secret] is empty"},
		{`~ api_key = "tr0mbone" -> "marmalade"`, `~ api_key = "[REDACTED]" -> "[REDACTED]"`}, {in: `~ name = "old" -> "new"`},
		{`"SecretString":"{\"user\":\"app\",\"password\":\"tr0mbone\"}"`, `"SecretString":"{\"user\":\"app\",\"password\":\"[REDACTED]\"}"`},
		{"`{\"\\u0070assword\":\"tr0mbone\"}`", "`{\"\\u0070assword\":\"[REDACTED]\"}`"}, {in: `{"\u0070atter":"Zr4tQm81LpXv"}`},
		{in: "FS_KEY_SECRET = 0xc0506617"}, {in: `"pass=%#v, host=%q"`}, {in: "s.readUint24LengthPrefixed(&x)"},
		// Elements.
		{in: `<h4 id="box-access-token">--box-access-token</h4>`}, {in: `<a name="RESULT_pass">RESULT Value</a>`},
		{`<property name="db.password">tr0mbone</property>`, `<property name="db.password">[REDACTED]</property>`}, {`<ApiKey xmlns="urn:x">tr0mbone</ApiKey>`, `<ApiKey xmlns="urn:x">[REDACTED]</ApiKey>`}, {in: `<password type="text"/>`}, {in: `<label for="password">Password</label>`},
		{`<password>{Zr4tQm81LpXv92Ks=}</password>`, `<password>{[REDACTED]}</password>`}, {in: `<password>{cipher}</password>`},
		// Names.
		{"SECRET_KEY_BASE=9f2c7be104d3", "SECRET_KEY_BASE=[REDACTED]"}, {"--dest-creds ada:tr0mbone1", "--dest-creds [REDACTED]"}, {"passWord=tr0mbone", "passWord=[REDACTED]"}, {"verylongapplicationnameanditspassword=tr0mbone", "verylongapplicationnameanditspassword=[REDACTED]"},
		{"Unseal Key 1: Zr4tQm81LpXv92Ks=", "Unseal Key 1: [REDACTED]"}, {in: "Key 1: Enter"}, {"sessionid=Zr4tQm81LpXv", "sessionid=[REDACTED]"}, {in: "session_id=Zr4tQm81LpXv"},
		{"Your API key is: Zr4tQm81LpXv", "Your API key is: [REDACTED]"}, {"the password is Zr4tQm81LpXv", "the password is [REDACTED]"}, {in: "the password is wrong"}, {in: "the password is: required"},
		{"setx API_KEY \"Zr4tQm81LpXv\"", "setx API_KEY \"[REDACTED]\""}, {"ENV DB_PASS Zr4tQm81LpXv", "ENV DB_PASS [REDACTED]"}, {in: "secret db-credentials-1"}, {in: "PASS test-of-Zr4tQm81LpXv"}, {`bad token "Zr4tQm81LpXv"`, `bad token "Zr4tQm81LpXv"`}, {`no such token "Zr4tQm81LpXv"`, `no such token "[REDACTED]"`},
		{"api key Zr4tQm81LpXv is unknown", "api key [REDACTED] is unknown"}, {`{"log":"X_TOKEN\tZr4tQm81LpXv\n"}`, `{"log":"X_TOKEN\t[REDACTED]\n"}`}, {in: `{"log":"token\tthe next"}`}, {in: `C:\token\text`},
		// Pairs of a name and a value.
		{"- {name: X_PASSWORD, value: tr0mbone}", "- {name: X_PASSWORD, value: [REDACTED]}"}, {"put --name /db/password --value tr0mbone", "put --name /db/password --value [REDACTED]"}, {in: "--name password --valued x"},
		// Ends.
		{"API_TOKEN=Zr4tQm81LpXv: unauthorized", "API_TOKEN=[REDACTED]: unauthorized"}, {"?sig=Zr4tQm81LpXv: 403", "?sig=[REDACTED]: 403"}, {"?sig=%2BZr4tQm81%2F", "?sig=[REDACTED]"}, {in: "password=%DB_PW%"},
		// Logins.
		{"frob login -u ada -p Zr4tQm81 x", "frob login -u ada -p [REDACTED] x"}, {in: "frob -u ada -p 8080"}, {in: "mkdir -p Zr4tQm81"}, {"frob --user ada:Zr4tQm81 x", "frob --user ada:[REDACTED] x"}, {in: "docker run --user 1000:1000 x"},
		{`["mysql", "-uroot", "-ptr0mbone", "x"]`, `["mysql", "-uroot", "-p[REDACTED]", "x"]`}, {in: `{"log":"mysql -u root -p\n"}`},
	})
}

func TestSanitizerTables(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"NAME   API KEY        AGE⏎ci     Zr4tQm81LpXv   5d⏎", "NAME   API KEY        AGE⏎ci     [REDACTED]   5d⏎"},
		{"TOKEN          NAME⏎Zr4tQm81LpXv   ci⏎Qm81LpXvZr4t   cd⏎", "TOKEN          NAME⏎[REDACTED]   ci⏎[REDACTED]   cd⏎"},
		{"NAME   SECRET         PASSWORD       AGE⏎ci     Zr4tQm81LpXv   Qm81LpXvZr4t   5d⏎", "NAME   SECRET         PASSWORD       AGE⏎ci     [REDACTED]   [REDACTED]   5d⏎"},
		{"NAME   TOKEN⏎ci     Zr4tQm81LpXv⏎cd     Qm81LpXvZr4t", "NAME   TOKEN⏎ci     [REDACTED]⏎cd     [REDACTED]"},
		{"NAME   TOKEN\r\nci     Zr4tQm81LpXv\r\n", "NAME   TOKEN\r\nci     [REDACTED]\r\n"},
		{"| user | password |⏎|------|----------|⏎| app  | tr0mbone |⏎", "| user | password |⏎|------|----------|⏎| app  | [REDACTED] |⏎"},
		{" user | password⏎------+----------⏎ app  | tr0mbone⏎", " user | password⏎------+----------⏎ app  | [REDACTED]⏎"},
		{"API_TOKEN\tZr4tQm81LpXv⏎LEVEL\tdebug", "API_TOKEN\t[REDACTED]⏎LEVEL\tdebug"},
		{in: "NAME   TOKENS   AGE⏎ci     204800   5d⏎"}, {in: "NAME   TOKEN    AGE⏎ci     expired  5d⏎"}, {in: "NAME   KEY           AGE⏎ci     build-cache   5d⏎"}, {in: "NAME   TOKEN   AGE⏎⏎ci     Zr4tQm81LpXv   5d⏎"},
		{in: " Column   | Type⏎----------+------⏎ password | text⏎ token    | text⏎"}, {in: "user password⏎app  tr0mbone⏎"}, {in: "| key | type | default |⏎|-----|------|---------|⏎| password | string | none |⏎"},
	})
}

func TestSanitizerLeavesWhatIsNoSecret(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{in: "token_type=bearer12345678"}, {in: "password_file=/run/secrets/db"}, {in: "secretName: db-credentials-1"}, {in: "max_tokens=204800000"},
		{in: "PASSWORD="}, {in: "PASSWORD=''"}, {in: "PASSWORD=$DB_PASSWORD"}, {in: "PASSWORD=${DB_PASSWORD:-}"}, {in: "PASSWORD=%DB_PASSWORD%"},
		{in: "password: {{ .Values.password }}"}, {in: "PASSWORD=<password>"}, {in: "PASSWORD=[password]"}, {in: "PASSWORD=(optional)"}, {in: "password=YOUR_PASSWORD_1"},
		{in: "password=your-password-here"}, {in: "PASSWORD=CHANGEME"}, {in: "password=********"}, {in: "password=xxxxxxxx"}, {in: "password=..."}, {in: "password: true"},
		{in: "password=null"}, {in: "password: required"}, {in: "token: missing"}, {in: "Password: incorrect"}, {in: "pass: 12"}, {in: "password=/run/secrets/db"},
		{in: "password=~/.pw"}, {in: `password=C:\keys\pw.txt`}, {in: "secret=https://vault.example.org/x1/y2"}, {in: "password= user=app"}, {in: "password 12"},
		{in: "public_key=Zr4tQm81LpXv92Ks"}, {in: "primary key: Zr4tQm81LpXv92Ks"}, {in: "partition_key=Zr4tQm81LpXv"}, {in: "cache key: Zr4tQm81LpXv92Ks"},
		{in: "foreignKey: users_id_12345678"}, {in: "PublicKeyToken=b77a5c561934e089"}, {in: "unexpected token: abc123"}, {in: "invalid token: x1y2z3"},
		{in: "syntax error near token 'abc1'"}, {in: "expected token: ident12"}, {in: "token: string"}, {in: "key: value"}, {in: "key=value-12"}, {in: "key: node-modules-linux-x64-v12"},
		{in: "session: 2.17.1"}, {in: "key=sha256:9f2c7be104d3a6589f2c7be1"}, {in: "--token string   the token"}, {in: "--password PASSWORD"}, {in: "--password <pw>"},
		{in: "--token-file path/to/file12"}, {in: "use --password or --token"}, {in: "-p, --password string   password of the registry"}, {in: "if token == \"abc1234\" {"},
		{in: "passing=12"}, {in: "compass=north"}, {in: "author: ada1234567890"}, {in: "pattern=abc123DEF456"}, {in: "keyboard=us-intl-12345"}, {in: "path=abc123DEF456/x"},
		{in: "password: must be 8 characters"}, {in: `"password": "Enter your password here"`}, {in: "monkey=abc123DEF4567"}, {in: "password = getpass.getpass()"},
		{in: "token = os.environ[\"X_TOKEN\"]"}, {in: "password=self.password"}, {in: "tokens=12345678abc"}, {in: "auth: failed"}, {in: "secret://foo12345"},
		{in: "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod-db-AbC123"}, {in: "USER=root"}, {in: "USER=$USER"}, {in: "OLDPWD=/tmp"}, {in: "PWD=/tmp/x1"},
		{in: "Password: "}, {in: "Enter password: "}, {in: `printf("Password: ");`}, {in: "GOOGLE_APPLICATION_CREDENTIALS=key.json"}, {in: "token: ${{ secrets.GITHUB_TOKEN }}"},
		{in: "https://x.test/cb?state=Zr4tQm81LpXv&page=2"}, {in: "https://x.test/?code=404"}, {in: "key token=Zr4tQm81LpXv"}, {in: "password|passwd|pw"}, {in: "passwd: files systemd"},
		{in: "PASS: test-case-12"}, {in: "error[E0425]: cannot find value `token` in this scope"}, {in: "Cookie: theme=dark"}, {in: "key: ArrowLeft"},
	})
}

// What begins as a placeholder does may go on as a password.
func TestSanitizerPlaceholders(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"POSTGRES_PASSWORD=mysecretpassword x", "POSTGRES_PASSWORD=[REDACTED] x"},
		{"password=mysecret-Vb7kk29", "password=[REDACTED]"},
		{`password="some_Vb7kk29xqZ"`, `password="[REDACTED]"`},
		{`Authorization: Token token="Qm81LpXv92KsZr4t", email="x"`, `Authorization: Token token="[REDACTED]", email="x"`},
		{in: "password=mypassword"}, {in: "password=your-password-here"}, {in: "API_KEY=replace-with-your-key"}, {in: "secrets: inherit"},
	})
}
