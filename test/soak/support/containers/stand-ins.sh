#!/usr/bin/env bash
# stand-ins.sh ENGINE CACHE: makes images of MySQL and Prometheus out of Debian's packages, for machines that can pull
# no images: localhost/event-export-test-mysql and …-prometheus. They have the users, paths and variables of the
# official images that compose.yaml uses.
set -euo pipefail
engine=$1 cache=$(realpath "$2")
unpack=$(dirname "${BASH_SOURCE[0]}")/../../../support/debian/unpack.sh
stage=$(mktemp -d "$cache/stand-ins.XXXXXX")
trap 'rm -rf "$stage"' EXIT

[ -d "$cache/mysql" ] || bash "$unpack" -s sid -i perl -i debconf "$cache/mysql" \
  'mysql-server-core*' 'mysql-client-core*' bash coreutils
mkdir -p "$stage/mysql"/{root,data}
cp -a "$cache/mysql/." "$stage/mysql/root"
# As on an installed system: these are names of the folders in usr.
for name in bin sbin lib lib64; do
  [ ! -d "$stage/mysql/root/$name" ] || [ -L "$stage/mysql/root/$name" ] || {
    mkdir -p "$stage/mysql/root/usr/$name"
    cp -a "$stage/mysql/root/$name/." "$stage/mysql/root/usr/$name"
    rm -r "$stage/mysql/root/$name"
  }
  mkdir -p "$stage/mysql/root/usr/$name"
  ln -sfn "usr/$name" "$stage/mysql/root/$name"
done
mkdir -p "$stage/mysql/root"/{tmp,var/run,etc}
chmod 1777 "$stage/mysql/root/tmp"
echo mysql:x:999:999::/var/lib/mysql:/bin/false >"$stage/mysql/root/etc/passwd"
cat >"$stage/mysql/root/usr/bin/entrypoint" <<'ENTRYPOINT'
#!/usr/bin/bash
set -euo pipefail
data=/var/lib/mysql
server=(/usr/sbin/mysqld --no-defaults --datadir=$data --secure-file-priv=NULL --mysqlx=OFF
  --lc-messages-dir=/usr/share/mysql --character-sets-dir=/usr/share/mysql/charsets --plugin-dir=/usr/lib/mysql/plugin)
if [ ! -e $data/complete ]; then
  rm -rf ${data:?}/*
  root=$(<"$MYSQL_ROOT_PASSWORD_FILE") password=$(<"$MYSQL_PASSWORD_FILE")
  printf '%s\n' "alter user root@localhost identified by '$root';" "create database $MYSQL_DATABASE;" \
    "create user '$MYSQL_USER'@'%' identified by '$password';" \
    "grant all on $MYSQL_DATABASE.* to '$MYSQL_USER'@'%';" >/tmp/init.sql
  "${server[@]}" --initialize-insecure --init-file=/tmp/init.sql
  touch $data/complete
fi
exec "${server[@]}" --bind-address=0.0.0.0 --port=3306 --socket=/var/run/mysqld/mysqld.sock "$@"
ENTRYPOINT
chmod +x "$stage/mysql/root/usr/bin/entrypoint"
cat >"$stage/mysql/Containerfile" <<'FILE'
FROM scratch
COPY root/ /
COPY --chown=999:999 data /var/lib/mysql
ENV PATH=/usr/sbin:/usr/bin
VOLUME /var/lib/mysql
ENTRYPOINT ["/usr/bin/entrypoint"]
FILE

# Unpacked by the tests of the alerts, too. The programs need the C library only.
mkdir -p "$stage/prometheus"/{root/bin,data}
cp "$cache/../prometheus/usr/bin/"{prometheus,promtool} "$stage/prometheus/root/bin"
cp -a "$cache/../prometheus"/{lib,lib64} "$stage/prometheus/root"
mkdir -p "$stage/prometheus/root/etc/prometheus"
cat >"$stage/prometheus/Containerfile" <<'FILE'
FROM scratch
COPY root/ /
COPY --chown=65534:65534 data /prometheus
ENV PATH=/bin
USER 65534:65534
VOLUME /prometheus
ENTRYPOINT ["/bin/prometheus"]
FILE

for name in mysql prometheus; do
  "$engine" build --quiet --tag "localhost/event-export-test-$name" --file "$stage/$name/Containerfile" "$stage/$name" >/dev/null
done
