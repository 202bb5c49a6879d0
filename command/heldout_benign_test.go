package command_test

// heldoutBenign are commands as recipes, build files and people write them, by area, one a
// line. On a GNU system there is nothing to say about any of them. ⏎ stands for a line feed.
var heldoutBenign = map[string]string{
	"version checks": `
go version
go env GOVERSION
node --version
node -v
npm --version
npm -v
npx --version
yarn --version
pnpm -v
bun --version
deno --version
python3 --version
python3 -V
python -m pip --version
pip --version
pip3 show requests
pipx --version
poetry --version
uv --version
ruby -v
gem --version
bundle --version
perl -v
perl --version
php -v
php --version
composer --version
lua -v
luajit -v
java -version
javac -version
mvn -version
gradle --version
kotlinc -version
scala -version
sbt --version
rustc --version --verbose
rustc -vV
cargo --version
cargo -V
cargo clippy --version
rustup show
ghc --version
stack --version
cabal --version
elixir --version
mix --version
ocaml -version
opam --version
dotnet --version
dotnet --info
swift --version
zig version
nim --version
crystal --version
dart --version
flutter --version
julia --version
R --version
Rscript --version
octave --version
gcc --version
gcc -dumpversion
clang --version
cmake --version
ninja --version
make --version
make -v
meson --version
bazel version
git --version
gh --version
docker --version
docker version
docker compose version
podman --version
kubectl version --client
kubectl version --client=true --output=yaml
helm version --short
terraform version
tofu version
packer version
vault version
consul version
aws --version
gcloud version
az version
ssh -V
openssl version
curl --version
wget --version
bash --version
zsh --version
fish --version
sh --version
dash -V
tmux -V
vim --version
emacs --version
jq --version
yq --version
rg --version
fd --version
bat --version
fzf --version
ffmpeg -version
convert -version
pandoc --version
tesseract --version
sqlite3 --version
psql --version
mysql --version
redis-cli --version
mongod --version
nginx -v
httpd -v
qemu-system-x86_64 --version
shellcheck --version
hadolint --version
golangci-lint --version
protoc --version
buf --version
{install_dir}/bin/foo --version
{install_dir}/bin/tool version
foo-{version} --version
./bin/foo --version
../bin/foo -V
bin/foo --help
/opt/foo/bin/foo --version
/usr/local/bin/foo --version
foo.exe --version
foo help
foo version --json
foo --version=short
python3.12 --version
clang-17 --version
x86_64-linux-gnu-gcc --version
g++ --version
c++filt --version
[ -x bin/foo ]
test -x {install_dir}/bin/foo
which go
true
false
pwd
whoami
hostname
uname -a
uname -srm
id -u
`,
	"questions to what destroys": `
rm --version
rm --help
mkfs.ext4 -V
shred --version
shred --help
dd --version
shutdown --help
reboot --help
halt --version
wipefs --version
parted --version
fdisk --version
dropdb --version
helm --help
terraform --help
sudo --version
sudo -V
chmod --help
chown --version
socat -V
ncat --version
tar --version
find --version
xargs --version
env --version
timeout --version
nice --help
git push --help
unlink --version
badblocks --help
`,
	"files and text": `
find . -name '*.go'
find . -type f -name '*.c' -print
find . -type f -newer Makefile
find src -name '*.py' -not -path '*/vendor/*'
find . -maxdepth 2 -type d
find . -name '*.pyc' -delete
find build -type f -delete
find . -name '*.o' -exec rm -f {} +
find . -name '*.tmp' -exec rm {} \;
find . -type f -exec chmod 644 {} +
find . -name '*.sh' -exec bash -n {} \;
find . -name '*.txt' -exec grep -l TODO {} +
find /usr/share -name '*.desktop'
find / -name 'libssl.so' -print
find /etc -maxdepth 1 -type f
find . -printf '%p %s\n'
find . -empty
find . -size +10M
find . '(' -name a -o -name b ')' -print
find . \( -name '*.c' -o -name '*.h' \) -print
find . -name build -prune -o -print
find {install_dir} -type f -perm -u+x
find {install_dir}/lib -name '*.so'
find . -name 'rm' -print
find . -exec echo {} +
grep -q foo bar.txt
grep -rn 'TODO' src
grep -E 'a|b' file
grep -F '$HOME' file
grep -c '^' /etc/passwd
grep -Po '\d+\.\d+' VERSION
grep -v '^#' /etc/fstab
grep -e rm -e unlink list.txt
grep -- -rf notes.txt
grep 'rm -rf /' install.log
grep -i "error: " log.txt
grep -l 'curl | sh' docs/install.md
rg -n 'fn main' src
rg --files -g '*.rs'
sed -n '1p' VERSION
sed -n 1,10p README.md
sed 's/foo/bar/g' in.txt
sed -e 's/a/b/' -e 's/c/d/' in.txt
sed -E 's/v([0-9]+)/\1/' VERSION
sed -i 's/a/b/' config.toml
sed -i.bak 's/a/b/' config.toml
sed '/^$/d' file
awk '{print $1}' file
awk -F: '{print $1}' /etc/passwd
awk -F, 'NR > 1 { s += $3 } END { print s }' data.csv
awk 'BEGIN { print ENVIRON["HOME"] }'
awk '/start/,/end/' file
awk -v n=3 'NR == n' file
gawk 'length > 80' file
head -n 1 VERSION
head -1 VERSION
head -c 16 bin/foo
tail -n +2 file
tail -f log.txt
cut -d: -f1 /etc/passwd
cut -d ' ' -f 2 file
sort -u file
sort -t: -k3 -n /etc/passwd
sort -h sizes
sort -rn counts
uniq -c names
tr -d '\r'
tr a-z A-Z
wc -l file
cat file
cat /etc/os-release
cat -A file
tee out.txt
diff -u a b
cmp a b
comm -12 a b
paste -d, a b
column -t file
fold -w 80 file
od -c file
xxd -l 16 bin/foo
hexdump -C bin/foo
strings bin/foo
file bin/foo
file -b --mime-type bin/foo
stat -c %s bin/foo
ls -la
ls -l {install_dir}/bin
ls -1 /usr/bin
ls -S
ls -d /etc
ls -l /dev/sda
du -sh .
du -d 1 build
df -h /
df -h
touch foo
mkdir -p build/out
rmdir build
cp a b
cp -r src dst
cp -a /etc/hosts /tmp/hosts
cp /etc/passwd backup/
cp foo /usr/local/bin/
cp -t build a b
mv a b
mv build/foo dist/
ln -s ../foo bin/foo
ln -sf foo /usr/local/bin/bar
install -m 755 foo /usr/local/bin/foo
install -d build/bin
install -D -m 644 a.conf build/etc/a.conf
rm foo
rm -f foo.o
rm -rf build
rm -rf node_modules dist
rm -rf ./build
rm -r build/tmp
rm -rf /tmp/foo
rm -rf /tmp/foo/bar
rm -rf /opt/foo
rm -f /usr/local/bin/foo
rm -rf /home/alice/project/build
rm -rf /var/lib/foo/cache
rm -- -foo
rm -rf -- -weird
unlink build/link
shred -u secret.txt
truncate -s 0 log.txt
realpath bin/foo
readlink -f bin/foo
readlink bin/foo
basename /usr/bin/foo
dirname /usr/bin/foo
chmod +x bin/foo
chmod 755 bin/foo
chmod -R 755 build
chmod -R u+rwX,go-w dist
chmod 644 /usr/local/etc/foo.conf
chmod a+x foo
chmod --reference=a b
chown alice build
chown -R alice:alice build
chown alice /etc/foo.conf
umount /mnt/usb
dd if=/dev/zero of=disk.img bs=1M count=10
dd if=/dev/urandom of=key.bin bs=32 count=1
dd if=/dev/sda of=backup.img
dd if=/dev/sda of=/dev/null bs=1M
mkfs.ext4 disk.img
mkfs.ext4 -F rootfs.img
mkswap swapfile
fdisk -l
fdisk -l /dev/sda
sfdisk -d /dev/sda
sfdisk --list /dev/sda
sgdisk --print /dev/sda
parted -l
wipefs /dev/sda
hdparm -I /dev/sda
lsblk -f
blkid /dev/sda1
smartctl -a /dev/sda
rsync -avz src/ dst/
rsync -a --delete src/ build/dst/
rsync -e ssh -a src/ host:dst/
rsync -n --delete src/ host:dst/
`,
	"archives and hashes": `
tar xzf foo.tar.gz
tar -xf foo.tar -C build
tar -tzf foo.tar.gz
tar --strip-components=1 -xf foo.tar
tar -cf out.tar --exclude=.git .
tar -I zstd -xf foo.tar.zst
tar --use-compress-program=zstd -xf foo.tar.zst
tar --use-compress-program zstd -cf foo.tar.zst src
tar -I pigz -cf foo.tar.gz src
tar czf - src
zip -r out.zip src
unzip -l foo.zip
unzip -o foo.zip -d build
gzip -dc foo.gz
gunzip -k foo.gz
xz -d foo.xz
bzip2 -t foo.bz2
zstd -d foo.zst
7z l foo.7z
ar t lib.a
sha256sum -c SHA256SUMS
sha256sum bin/foo
shasum -a 256 bin/foo
md5sum bin/foo
cksum bin/foo
base64 -d foo.b64
base64 -w 0 key.bin
gpg --verify foo.sig foo
openssl dgst -sha256 foo
sort --compress-program=gzip big.txt
`,
	"git": `
git status --short
git log -1 --format=%H
git log --oneline -n 5
git rev-parse --short HEAD
git describe --tags --always
git diff --stat HEAD~1
git diff --name-only origin/main...HEAD
git show HEAD:README.md
git branch -a
git branch -D old
git tag -l 'v*'
git fetch --all --prune
git pull --rebase
git push
git push origin main
git push -u origin HEAD
git push --tags
git push --force-with-lease
git push --force-with-lease origin main
git push --dry-run --force origin main
git push origin v1.2.3
git push origin HEAD:refs/heads/topic
git commit -m 'Fix rm -rf / in script'
git commit -am "reset --hard is bad"
git add -A
git checkout -b topic
git checkout -- file.txt
git switch main
git restore file.txt
git reset --soft HEAD~1
git reset HEAD file.txt
git clean -n
git clean -nfd
git clean --dry-run -fdx
git stash list
git submodule update --init --recursive
git clone --depth 1 https://example.com/x.git
git -C sub status
git -c core.pager=cat log
git -c user.name=x -c user.email=y commit -m z
git -c core.editor= commit
git config --get remote.origin.url
git ls-files -z
git grep -n 'push --force'
git archive --format=tar HEAD
git remote -v
git blame -L 1,10 main.go
git cat-file -p HEAD
git merge-base HEAD origin/main
git worktree list
git bisect log
git fsck --full
`,
	"containers and clusters": `
docker ps -a
docker images
docker info
docker pull alpine:3
docker build -t foo .
docker run --rm alpine:3 uname -a
docker run --rm -it -v ./src:/src golang:1 go test ./...
docker run --rm -v myvol:/data alpine ls /data
docker run --rm -v /tmp/work:/work alpine ls /work
docker run -v /etc/localtime:/etc/localtime:ro foo
docker run -v /etc/ssl/certs:/etc/ssl/certs:ro foo
docker run --mount type=bind,source=/srv/app/data,target=/data foo
docker run --network host foo
docker run --net=host foo
docker run --cap-add NET_ADMIN foo
docker run --cap-add=SYS_PTRACE foo
docker run --cap-drop ALL foo
docker run --user 1000:1000 foo
docker run -e FOO=bar -p 8080:80 nginx
docker run --device /dev/fuse foo
docker run foo --privileged
docker run --rm foo --pid=host
docker exec web ls /app
docker exec -it web env
docker logs --tail 10 web
docker inspect web
docker rm -f web
docker rmi foo
docker volume ls
docker image ls
docker system df
docker system prune
docker compose up -d
docker compose down
docker tag a b
docker cp web:/app/log.txt .
docker create --name x alpine
podman run --rm docker.io/library/alpine true
podman ps
nerdctl run --rm alpine true
kubectl get pods
kubectl get pods -A
kubectl get ns
kubectl get all --all-namespaces
kubectl describe pod foo
kubectl logs -f foo
kubectl apply -f deploy.yaml
kubectl delete pod foo
kubectl delete -f deploy.yaml
kubectl delete deployment web -n staging
kubectl delete namespace foo --dry-run=client
kubectl rollout status deploy/web
kubectl exec foo -- ls
kubectl config current-context
helm list
helm install web ./chart
helm upgrade --install web ./chart
helm template ./chart
helm uninstall web --dry-run
terraform init
terraform plan
terraform validate
terraform fmt -check
terraform apply
terraform plan -destroy
tofu plan
`,
	"build and packages": `
make
make -j4
make test
make -C sub all
make clean
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release
cmake --build build
ctest --test-dir build
./configure --prefix=/usr
./configure --prefix={install_dir}
meson setup build
ninja -C build
go build ./...
go test ./...
go test -run 'TestA|TestB' ./pkg
go vet ./...
go install example.com/x@latest
go mod tidy
go list -m all
go run ./cmd/foo
cargo build --release
cargo test -- --nocapture
cargo install ripgrep
cargo install --path .
cargo publish --dry-run
cargo publish -n
cargo package --list
cargo fmt -- --check
cargo tree
npm ci
npm install
npm run build
npm test
npm ls
npm pack
npm view react version
npm publish --dry-run
pnpm install --frozen-lockfile
pnpm publish --dry-run
yarn install
yarn build
pip install -r requirements.txt
pip install 'foo>=1.2'
pip list
python3 -m venv .venv
python3 -m pytest -q
python3 -m json.tool data.json
python3 setup.py build
python3 -m http.server
twine check dist/foo.whl
gem install bundler
gem build foo.gemspec
gem list
bundle exec rake
composer install
mvn -B package
gradle build
./gradlew test
dotnet build
dotnet test
mix test
stack build
cabal build
opam list
apt-get update
apt-get install -y curl
apt-cache policy curl
dpkg -l curl
dpkg -L curl
dpkg-query -W curl
apk add --no-cache curl
apk info
dnf install -y curl
rpm -q curl
brew install foo
brew list --versions foo
pacman -Q foo
gh repo view
gh release view v1
gh release list
gh pr create --fill
ldd bin/foo
ldconfig -p
readelf -d bin/foo
objdump -p bin/foo
nm -D lib.so
pkg-config --modversion zlib
pkg-config --exists zlib
crontab -l
createdb foo
psql -c 'select 1'
sqlite3 :memory: 'select sqlite_version()'
`,
	"system": `
systemctl status nginx
systemctl is-active nginx
systemctl restart nginx
systemctl list-units --failed
systemctl --user status foo
systemctl daemon-reload
journalctl -u nginx -n 50
journalctl --since today
ps aux
ps -ef
ps -o pid,comm
ps --sort=-rss
free -m
uptime
nproc
lscpu
ss -tln
ip addr show
ip -4 route
netstat -an
ping -c 1 localhost
dig example.com
nslookup example.com
nc -z localhost 80
nc -zv localhost 5432
nc -l 8080
socat - TCP:localhost:80
curl -fsSL https://example.com/x -o x.tar.gz
curl -sS https://example.com/
curl -I https://example.com
curl -O https://example.com/x.tar.gz
curl -X DELETE https://example.com/items/1
curl -d 'a=b&c=d' 'https://example.com/?q=1&r=2'
curl -H 'Authorization: Bearer x' https://example.com
wget -q https://example.com/x.tar.gz
wget -O x.tar.gz https://example.com/x
wget -qO- https://example.com
ssh host uptime
ssh -T git@example.com
ssh -o BatchMode=yes host true
scp a host:b
kill 1234
kill -9 4242
kill -l
pkill -f foo
killall foo
pgrep -f foo
lsof -i :8080
mount
date
date -u +%Y-%m-%dT%H:%M:%SZ
date +%s
date -d @0
cal
env
printenv PATH
locale -a
getent passwd root
getconf LONG_BIT
init --version
echo hello
echo "it's fine"
echo 'rm -rf /'
echo "curl x | sh"
echo a\ b
echo ''
echo shutdown now
printf '%s\n' a b
printf 'a\tb'
seq 1 10
sleep 1
expr 1 + 2
man -k rm
tput cols
logger hello
sw-vers-like --x
`,
	"interpreters": `
python3 -c 'print(1)'
python3 -c 'import sys; print(sys.version)'
python3 -c "import foo; print(foo.__version__)"
python -c 'import numpy'
python3 foo.py --version
python3 -m foo
python3 -u script.py
python3 -W ignore -c 'import foo'
pypy3 -c 'print(1)'
perl -e 'print $^V'
perl -ne 'print if /foo/' file
perl -pe 's/a/b/' file
perl -MJSON -e 'print $JSON::VERSION'
perl -MFoo::Bar -e 1
perl -c script.pl
ruby -e 'puts RUBY_VERSION'
ruby -rjson -e 'puts JSON::VERSION'
ruby script.rb
node -e 'console.log(process.version)'
node -p process.version
node -p 'require("./package.json").version'
node --eval 'console.log(1)'
node index.js
node --check index.js
deno run main.ts
bun run build
php -r 'echo PHP_VERSION;'
php -m
php -l index.php
lua -e 'print(_VERSION)'
lua script.lua
Rscript -e 'cat(R.version.string)'
Rscript script.R
osascript -e 'return 1'
tclsh script.tcl
`,
	"wrappers": `
env FOO=bar foo --version
env -i PATH=/usr/bin foo --version
env -u DISPLAY foo --version
env -S 'foo --version'
env LANG=C sort file
nice -n 10 make
nice make
ionice -c 3 tar cf out.tar src
timeout 5 foo --version
timeout -k 5 30s make test
timeout --signal=KILL 10 foo
stdbuf -oL foo
nohup foo
setsid foo --daemon
busybox ls -l
busybox --help
chrt -b 0 foo
taskset 0x1 foo
flock /tmp/lock make
flock -w 10 build.lock make install
flock build.lock -c 'make install'
xvfb-run -a foo --version
sudo apt-get update
sudo -u postgres psql -c 'select 1'
sudo -E make install
sudo -n true
sudo -- foo --version
sudo FOO=bar foo
doas apk add curl
watch -n 1 df -h
xargs -n 1 echo
xargs -0 grep -l foo
xargs -I{} echo {}
xargs -P 4 -n 1 gzip
env timeout 5 nice foo --version
sudo env FOO=bar timeout 5 foo
sh -c 'foo --version'
sh -c 'foo --version | head -n 1'
sh -c 'cd build && make'
sh -c 'test -f foo && echo yes'
sh -c 'echo "$0 $1"' a b
sh -c 'for f in *.txt; do wc -l "$f"; done'
sh -c 'foo 2>&1 | grep -q bar'
sh -c 'export A=b; foo'
sh -c 'rm -rf build'
sh -c 'if [ -f a ]; then cat a; else cat b; fi'
sh -ec 'make && make test'
bash -c 'set -euo pipefail; foo | bar'
bash -lc 'foo --version'
bash -c '[[ -f foo ]] && echo yes'
bash -c 'echo $((1 + 2))'
bash -c 'diff <(sort a) <(sort b)'
bash -c 'type -t foo'
bash -n script.sh
zsh -c 'echo hi'
dash -c 'exit 3'
ash -c true
ksh -c 'print hi'
fish -c 'echo hi'
/bin/sh -c 'echo hi'
/usr/bin/env foo --version
sh -c "sh -c 'echo hi'"
sh -c 'trap "echo bye" EXIT; foo'
sh -c 'eval "echo hi"'
sh -c 'cat <<EOF⏎hello⏎EOF'
sh -c 'f() { echo "$1"; }; f a'
sh -c 'while read -r l; do echo "$l"; done < list'
sh -c 'command -v go'
sh -c '! grep -q x f'
sh -c 'time foo'
sh -c '(cd a && ls)'
sh -c 'foo >/dev/null 2>&1'
sh -c 'echo x > out.txt'
sh -c 'echo x >> log.txt'
sh -c 'echo hi' _ /
find . -name '*.go' -exec sh -c 'gofmt -l "$1"' _ {} \;
find . -exec sh -c 'echo "$@"' _ {} +
`,
	"quoting oddities": `
foo "a b" 'c d'
foo 'a'"b"c
foo "a\"b"
foo 'it'\''s'
foo a\;b
foo a\&b
foo "a;b|c&d"
foo 'a > b'
foo --pattern='^v[0-9]+'
foo --pattern="a*b"
foo 'x?y'
foo "#notcomment"
foo a#b
foo a=b
foo --x={y}
foo {version}
foo v{version}
foo %h
foo a~
foo a~b
foo --opt=~/x
foo [
foo ]
foo a]b
foo =
foo :
foo @
foo a@b
foo +x
foo ^
foo ,
foo -
foo --
foo -- -x
foo !
foo a!b
foo "$"
foo 'a$b'
foo "\$HOME"
foo \$HOME
foo $
foo a$
foo '$(x)'
foo 'back` + "`" + `tick'
foo "{a}"
foo {}
foo {a}
foo '' ""
foo é
foo "naïve – dash"
foo 'a⏎b'
foo "C:\\x"
foo 'C:\x\y'
'foo' --version
"foo" --version
f\oo --version
foo.bar_baz-1 --version
foo "/Applications/Foo Bar.app/Contents/MacOS/foo" --version
"/Applications/Foo Bar.app/Contents/MacOS/foo" --version
'C:\Program Files\foo\foo.exe' --version
"C:\Program Files\foo\foo.exe" --version
foo Don\'t
foo word–dash
foo don’t
`,
}

// heldoutShell are harmless lines that only a shell could run: what is said about each is that
// one thing, and on a GNU system nothing else.
var heldoutShell = map[string]string{
	"NeedsShell operator": `
foo --version | head -n 1
foo --version 2>&1
foo --version 2>&1 | grep -q 1.2
foo --version || true
foo > out.txt
foo >/dev/null 2>&1
foo < in.txt
foo --version && bar --version
foo & bar
(foo)
a; b
foo --version | head -1 | cut -d ' ' -f 2
apt-get update && apt-get install -y curl
apt-get clean && rm -rf /var/lib/apt/lists/*
curl -fsSL https://example.com/x.tar.gz | tar xz
curl -s https://example.com/x.json | jq -r .tag_name
curl -s https://example.com/x.json | python3 -m json.tool
curl -s https://example.com/x.json | python3 -c 'import json, sys; print(json.load(sys.stdin)["v"])'
curl -fsSL https://example.com/key.asc | gpg --dearmor
wget -qO- https://example.com | grep title
echo 'echo hi' | sh
echo hello | bash -c 'cat'
cat script.sql | sqlite3 db
find . -name '*.go' | xargs gofmt -l
find . -name '*.go' -print0 | xargs -0 grep -l TODO
git ls-files -z | xargs -0 sed -n 1p
ps aux | grep '[n]ginx'
ls | wc -l
cat <<EOF⏎hello⏎EOF
cat <<'EOF' > out.txt⏎hello $x⏎EOF
tee config.toml <<EOF⏎a = 1⏎EOF
diff <(sort a) <(sort b)
echo hi >&2
foo |& tee log.txt
make 2>errors.txt
foo \⏎  --bar
foo⏎bar
mkdir -p build && cp foo build/
docker ps -q | xargs docker inspect
kubectl get pods -o name | head -n 1
echo y | apt-get install foo
yes | head -n 3
git log --oneline | head
cat list | while read -r l; do echo "$l"; done
rm -f a.o; make
test -f foo && echo yes || echo no
printf 'a\n' >> notes.txt
sha256sum foo | cut -d ' ' -f 1
curl -fsSL https://example.com/x.tgz -o x.tgz && tar xzf x.tgz
git diff | cat
sort a > /tmp/sorted.txt
echo hi > /dev/stderr
bash -n <script.sh
`,
	"NeedsShell substitution": "\n" +
		"echo $(date)\n" +
		"echo \"today is $(date +%F)\"\n" +
		"echo `date`\n" +
		"cat $(git ls-files)\n" +
		"docker run --rm -v \"$(pwd)\":/src alpine ls\n" +
		"go build -ldflags \"-X main.v=$(git describe)\"\n" +
		"make -j$(nproc)\n" +
		"kill $(cat foo.pid)\n" +
		"test \"$(foo --version)\" = 1.2\n",
	"NeedsShell expansion": `
echo $HOME
echo "$PATH"
echo ${FOO:-bar}
foo --prefix=$PREFIX
ls "$HOME/bin"
docker run --rm -v "$PWD":/src alpine ls
docker run --rm -v $PWD:/src -w /src alpine make
rm -rf "$HOME/.cache/foo"
rm -rf $HOME/.cache/foo
echo $?
echo $1
echo $'a\tb'
echo $((1 + 2))
grep -q "$VERSION" VERSION
`,
	"NeedsShell glob": `
ls *.go
rm -f *.o
rm -rf build/*
rm -rf /var/lib/apt/lists/*
rm -rf /tmp/foo-*
cat file?.txt
ls [ab].c
sha256sum dist/*
cp src/*.h include/
gofmt -l *.go
`,
	"NeedsShell brace": `
mkdir -p build/{bin,lib}
echo {1..3}
cp foo{,.bak}
`,
	"NeedsShell tilde": `
ls ~
ls ~/bin
rm -rf ~/.cache/pip
cat ~/.bashrc
~/bin/foo --version
`,
	"NeedsShell comment": `
foo --version # check it
ls #all
`,
	"NeedsShell assignment": `
FOO=bar foo --version
LANG=C LC_ALL=C sort file
DEBIAN_FRONTEND=noninteractive apt-get install -y foo
GOOS=linux GOARCH=arm64 go build ./...
PATH=/opt/x/bin foo --version
`,
	"NeedsShell reserved-word": `
! grep -q x file
[[ -f foo ]]
if true; then echo yes; fi
for f in a b; do echo "$f"; done
while true; do sleep 1; done
until test -f x; do sleep 1; done
time make
{ echo a; echo b; }
function f { echo hi; }
`,
	"NeedsShell builtin": `
command -v go
type go
hash go
cd build
export FOO=bar
set -e
ulimit -n
alias
exit 0
: nothing
umask 022
read x
unset FOO
wait
`,
}
