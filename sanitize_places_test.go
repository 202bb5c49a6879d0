package mend_test

import (
	"testing"

	"github.com/mendkit/mend"
)

func TestSanitizerAddresses(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"8.8.8.8:53", "[IP]:53"}, {"8.8.8.8#53", "[IP]#53"}, {"8.8.8.0/24", "[IP]/24"}, {"9.9.9.9 port 22: refused", "[IP] port 22: refused"},
		{"http://9.9.9.9/x", "http://[IP]/x"}, {"https://ada@9.9.9.9/x", "https://ada@[IP]/x"},
		{"10.0.0.1-10.0.0.9", "[IP]-[IP]"}, {"9.9.9.9:1 -> 8.8.4.4", "[IP]:1 -> [IP]"}, {"via 9.9.9.9, 8.8.4.4 and 1.1.1.1", "via [IP], [IP] and [IP]"},
		{"127.0.0.1", "[IP]"}, {"192.168.1.9 is up", "[IP] is up"}, {"172.16.4.4", "[IP]"}, {"169.254.1.1", "[IP]"}, {"100.64.0.1", "[IP]"}, {"0.0.0.0", "[IP]"}, {"203.0.113.9", "[IP]"},
		{"to 9.9.9.9: connection refused", "to [IP]: connection refused"}, {"8.8.8.8 unreachable", "[IP] unreachable"},
		{"ping 9.9.9.9", "ping [IP]"}, {"inet 9.9.9.9 x", "inet [IP] x"}, {"nameserver 9.9.9.9", "nameserver [IP]"}, {"host=9.9.9.9", "host=[IP]"}, {"(9.9.9.9:80)", "([IP]:80)"},
		{"[::1]:80", "[[IP]]:80"}, {"fe80::1%eth0", "[IP]"}, {"2001:db8::/32", "[IP]/32"}, {"2001:db8:0:1:2:3:4:5", "[IP]"}, {"::ffff:9.9.9.9", "[IP]"}, {"inet6 ::1", "inet6 [IP]"},
		{"fe80::1: unreachable", "[IP]: unreachable"}, {"fd00::12 x", "[IP] x"}, {"ff02::1", "[IP]"}, {"64:ff9b::1", "[IP]"}, {"::1/128", "[IP]/128"}, {"::1%lo", "[IP]"},
		{"ip-10-1-2-3.eu-west-1.compute.internal", "ip-[IP].eu-west-1.compute.internal"},
		{in: "frob 1.2.3.4"}, {in: "v10.0.0.1"}, {in: "frob-10.0.0.1"}, {in: "10.0.0.1.2"}, {in: "10.0.0.1-rc1"}, {in: "10.0.0.1a"}, {in: "010.0.0.1"}, {in: "256.1.1.1"}, {in: "1.3.6.1.4.1"},
		{in: "libfoo.so.10.0.0.1"}, {in: "frob==10.0.0.1"}, {in: "frob >= 9.9.9.9"}, {in: "frob~=9.9.9.9"}, {in: "^9.9.9.9"}, {in: "/opt/frob/9.9.9.9/bin"}, {in: "version 10.4.0.2"},
		{in: "sdk: 10.0.2.1"}, {in: "server version 9.9.9.9"}, {in: "2.17.1.1, 9.9.9.9"}, {in: "Chrome/120.0.6099.109"}, {in: "10.0.0.1.tar.gz"}, {in: "pkg@1.2.3.4"}, {in: "9.9.9.9_1"},
		{in: "09:14:33"}, {in: "3c:22:fb:01:9e:7a"}, {in: "00:11:22:33:44:55:66:77"}, {in: "a::b"}, {in: "std::vec"}, {in: "::1 x"}, {in: "1::"}, {in: "main.go:12:34"}, {in: "ab:cd:ef:01:23:45:67:89:ab"},
		{in: "abc::1"}, {in: "x::2"}, {in: "Foo::1::Bar"}, {in: "SHA1: 9f:2c:7b:e1:04:d3:a6:58:9f:2c"}, {in: "zip-10-1-2-3"},
	})
}

func TestSanitizerHomes(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"/home/ada", "$HOME"}, {"/home/ada/x: no", "$HOME/x: no"}, {"in /home/ada: no", "in $HOME: no"}, {`"/home/ada"`, `"$HOME"`}, {"PATH=/usr/bin:/home/ada/bin:/bin", "PATH=/usr/bin:$HOME/bin:/bin"},
		{"/var/home/ada/x", "$HOME/x"}, {"/export/home/ada/x", "$HOME/x"}, {"/home/ada.lovelace/x", "$HOME/x"}, {"/home/ada,", "$HOME,"}, {"(/home/ada)", "($HOME)"}, {"-I/home/ada/include", "-I$HOME/include"},
		{"/Users/ada/x", "$HOME/x"}, {"file:///home/ada/x", "file://$HOME/x"}, {"%2Fhome%2Fada%2Fx", "$HOME%2Fx"}, {"\\n/home/ada\\n", "\\n$HOME\\n"},
		{`C:\Users\ada\x`, `%USERPROFILE%\x`}, {`d:\users\ada`, `%USERPROFILE%`}, {`C:\\Users\\ada\\x`, `%USERPROFILE%\\x`}, {"C:/Users/ada/x", "%USERPROFILE%/x"}, {"/mnt/c/Users/ada/x", "%USERPROFILE%/x"},
		{"/c/Users/ada/x", "%USERPROFILE%/x"}, {`C:\Documents and Settings\ada\x`, `%USERPROFILE%\x`}, {`\\host\Users\ada\x`, `%USERPROFILE%\x`}, {`\\\\host\\Users\\ada\\x`, `%USERPROFILE%\\x`},
		{`C:\Users\Ada Lovelace\x`, `%USERPROFILE%\x`}, {`C:\Users\ada is home`, `%USERPROFILE% is home`}, {"file:///C:/Users/ada/x", "file:///%USERPROFILE%/x"}, {"C%3A%5CUsers%5Cada%5Cx", "%USERPROFILE%%5Cx"},
		{in: "dist/home/ada"}, {in: "./home/ada"}, {in: "/api/v1/users/1"}, {in: "/home/linuxbrew/.linuxbrew/bin"}, {in: "/Users/Shared/x"}, {in: `C:\Users\Default\x`}, {in: `C:\Users\All Users\x`},
		{in: "/home/$USER/x"}, {in: "/home/<user>/x"}, {in: "/home/${USER}"}, {in: "/home/index.html"}, {in: "/home/"}, {in: "/home"}, {in: "https://example.org/home/x"}, {in: `C:\Users\%USERNAME%\x`}, {in: "/homepage/x"},
		{in: "/home/*/x"}, {in: "/Users/USERNAME/x"}, {in: "example.org/Users/ada"}, {in: "src/Users/ada"},
	})
	own := mend.NewSanitizer(&mend.SanitizerOptions{Homes: []string{"/data/ada/", `E:\Profile\ada`, "/root"}})
	runSanitizeCases(t, own, []sanitizeCase{
		{"/data/ada/x", "$HOME/x"}, {"in /data/ada", "in $HOME"}, {`E:\Profile\ada\x`, `$HOME\x`}, {"/root/.cache", "$HOME/.cache"},
		{in: "/data/adam/x"}, {in: "x/data/ada/x"}, {in: "/rootfs/x"}, {in: "/data"},
	})
}

func TestSanitizerEmail(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"ada@corp.example", "[EMAIL]"}, {"<ada.lovelace+x@mail.corp.example>", "<[EMAIL]>"}, {"mailto:ada@corp.example", "mailto:[EMAIL]"}, {"user.email=ada@corp.example", "user.email=[EMAIL]"},
		{"ada@corp.example: denied", "[EMAIL]: denied"}, {"(ada@corp.example)", "([EMAIL])"},
		{in: "git@github.com"}, {in: "git@github.com:x/y.git"}, {in: "ada@corp.example:src/x"}, {in: "pkg@1.2.3"}, {in: "image@sha256:9f2c7be104d3a658"}, {in: "ada@example.com"}, {in: "ada@mail.example.org"},
		{in: "bug-frob@gnu.org"}, {in: "frob-devel@corp.example"}, {in: "info@corp.example"}, {in: "Copyright (c) 2026 Ada <ada@corp.example>"}, {in: "Report bugs to ada@corp.example"}, {in: "Written by Ada <ada@corp.example>"},
		{in: "Maintained by ada@corp.example"}, {in: "logo@2x.png"}, {in: "getty@tty1.service"}, {in: "@scope/pkg"}, {in: "a@b"}, {in: "https://ada@corp.example/x"}, {in: "frob@v1.2"}, {in: "x@lists.corp.example"},
	})
}

func TestSanitizerKnownValues(t *testing.T) {
	s := mend.NewSanitizer(&mend.SanitizerOptions{
		Secrets: []string{"Zr4t Qm&81'Lp", "abcd", "xyz", "12345678", "true", "REDACTED", "first line one\nsecond line two", "ünï-çødé-9"},
		Users:   []string{"ada", "bo", "Brigitte", "IP", "bytes"},
	})
	runSanitizeCases(t, s, []sanitizeCase{
		{"xZr4t Qm&81'Lpx", "x[REDACTED]x"}, {in: `"Zr4t Qm\u0026\u0038"`}, {`{"a":"Zr4t Qm\u0026` + `81'Lp"}`, `{"a":"[REDACTED]"}`},
		{"?q=Zr4t+Qm%2681%27Lp", "?q=[REDACTED]"}, {"?q=Zr4t%20Qm%2681%27Lp", "?q=[REDACTED]"}, {"Zr4t Qm&amp;81&#39;Lp", "[REDACTED]"}, {`'Zr4t Qm&81'\''Lp'`, `'[REDACTED]'`},
		{"5a72347420516d2638312" + "74c70", "[REDACTED]"}, {"WnI0dCBRbSY4MSdMcA==", "[REDACTED]A=="},
		{"is abcd here", "is [REDACTED] here"}, {in: "is abcde here"}, {in: "xyz 12345678 true"}, {"second line two!", "[REDACTED]!"}, {"a first line one\nb", "a [REDACTED]\nb"}, {"ünï-çødé-9", "[REDACTED]"},
		{"ada said", "[REDACTED] said"}, {in: "adam said"}, {in: "bo said"}, {"(Brigitte)", "([REDACTED])"}, {in: "brigitte"}, {"/data/ada/x", "/data/[REDACTED]/x"}, {in: "bytes of IP"}, {"for ada", "for [REDACTED]"},
	})
}

func TestSanitizerNormalises(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{"␛[1;31mred␛[0m", "red"}, {"␛]8;;https://x␛\\link␛]8;;␛\\", "link"}, {"␛]0;title\atext", "text"}, {"N\bNA\bAM", "NAM"}, {"_\bx", "x"}, {"10%\r50%\r\nok", "10%\n50%\r\nok"},
		{"pass\u200bword=tr0mb\u00adone", "password=[REDACTED]"}, {"a\x00b\x7fc", "abc"}, {"\xffa", "\ufffda"}, {"a\u202eb", "ab"}, {"\ufeffa", "a"}, {"a␛", "a"}, {"␛[1", "[1"},
		{in: "tab\there, umlaut ü, 密码, CRLF\r\nNBSP\u00a0x"},
	})
}

// TestSanitizerPlacesInOutput holds places in forms that texts of real tools showed.
func TestSanitizerPlacesInOutput(t *testing.T) {
	runSanitizeCases(t, unlimited, []sanitizeCase{
		{in: "GET /home/stats HTTP/1.1"}, {"ls /home/stats", "ls $HOME"}, {in: `{"log":"/usr/home\n"}`}, {`{"log":"/home/ada\n"}`, `{"log":"$HOME\n"}`}, {in: "a//home/ada"}, {"//home/ada", "/$HOME"},
		{in: "com.corp:app:jar:10.0.1.3"}, {in: "com.corp:app:10.0.1.3"}, {"tcp:web:10.0.1.3", "tcp:web:[IP]"}, {in: "registry.corp.test/app:10.4.0.2"}, {"inet addr:10.4.0.2", "inet addr:[IP]"}, {"https://registry.corp.test/a b:10.4.0.2", "https://registry.corp.test/a b:[IP]"},
		{in: "Version     : 10.4.0.2"}, {"Address     : 10.4.0.2", "Address     : [IP]"}, {in: "x[::2]"}, {"[::2]:80", "[[IP]]:80"},
		{in: "chacha20-poly1305@openssh.com"}, {in: "curve25519-sha256@libssh.org"}, {"Author: Ada <ada@corp.test>", "Author: Ada <[EMAIL]>"}, {in: "Authors: Ada <ada@corp.test>"},
		{"https://ada:x#y*8RT@git.corp.test/z", "https://ada:[REDACTED]@git.corp.test/z"}, {in: "https://ada:x@git.corp.test/z"}, // one byte hides nothing
		{in: "1: frob::token::parse::h9f2c7be104d3a658"}, {"using $argon2" + "id$v=19$m=65536,t=3,p=4$Zr4tQm81LpXv92Ks$Wd7nTb3YcFh6JgRa5MEu0GiBx, region", "using [REDACTED], region"},
		{"09:14:33.1 BEGINKEY⏎09:14:33.2 KEYBODY⏎09:14:33.3 KEYBODY⏎09:14:33.4 ENDKEY", "09:14:33.1 BEGINKEY⏎09:14:33.2 [REDACTED]⏎09:14:33.4 ENDKEY"},
		{in: "PASSWORD=`pass show db`"}, {"PASSWORD=`Zr4tQm81`", "PASSWORD=`[REDACTED]`"}, {in: "password = random_password.db.result"}, {in: "password='\"\"'"},
	})
}
