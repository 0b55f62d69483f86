## send
#!/bin/sh
# curl 7.76 or newer: EXPORT_PASSWORD=… sh poll.sh [event]
# One poll: writes changed guests and deletions of one event to a folder per poll, to load into your database
# by id. It leaves to pull.mjs: a copy, items, all events, a lock, waiting for a slow service, the digest.
set -eu
umask 077
SERVICE='http://127.0.0.1:8080' FAMILY='/your-family/v1' USERNAME='your-name' EVENT='your-event-id'
if [ $# -gt 0 ]; then EVENT=$1; fi
GUESTS=$SERVICE$FAMILY/events/$EVENT/guests
STATE=guests-$EVENT.state NEW=guests-$EVENT.new

log_in() {
  PASSWORD=$(printf %s "$EXPORT_PASSWORD" | sed 's/["\\]/\\&/g')
  printf '{"username": "%s", "password": "%s"}' "$USERNAME" "$PASSWORD" |
    curl -sS --fail-with-body -c cookies.txt -H 'content-type: application/json' -d @- "$SERVICE/session"
}

# Prints the status; writes the headers and the body to files. curl repeats the request after 429 and 503.
send() {
  curl -sS --retry 5 --retry-delay 1 --retry-all-errors --max-time 60 -b cookies.txt -D "$NEW/headers" -o "$NEW/body" -w '%{http_code}' "$@"
}

## walk
# Reads all pages of a list: walk NAME URL [options for the first page]. Keeps the first page's headers.
walk() {
  NAME=$1 URL=$2 PAGE=0 FIRST=
  shift 2
  while [ -n "$URL" ]; do
    PAGE=$((PAGE + 1))
    STATUS=$(send "$@" "$URL")
    if [ "$STATUS" = 401 ]; then log_in >&2 && STATUS=$(send "$@" "$URL"); fi
    # After a repeated request the file has the headers of every attempt: take the last.
    HEADERS=$(tr -d '\r' <"$NEW/headers" | awk '/^HTTP/ { last = "" } { last = last $0 "\n" } END { printf "%s", last }')
    : "${FIRST:=$HEADERS}"
    set --
    case $STATUS in
      200) mv "$NEW/body" "$NEW/$NAME-$PAGE.json" ;;
      304) break ;; # nothing has changed, and nothing was deleted
      404) [ "$NAME" = deletions ] && break || return 1 ;; # not known here: only the digest shows them
      *) cat "$NEW/body" >&2 && return 1 ;;
    esac
    # Link may hold several URLs, in any order.
    URL=$(echo "$HEADERS" | sed -n 's/^[Ll]ink: *//p' | tr ',' '\n' | sed -n 's/^ *<\(.*\)> *; *rel="next".*/\1/p')
  done
}
# Without quotes and brackets: what a header says is written to the state, which the next poll runs.
header() { echo "$FIRST" | grep -i "^$1:" | head -n 1 | cut -d ' ' -f 2 | tr -cd '[:alnum:]"/_.:+=-'; }

## poll
N=0 SINCE=-1 ETAG=
if [ -e "$STATE" ]; then . "./$STATE"; fi
rm -rf "$NEW" && mkdir "$NEW"
[ -e cookies.txt ] || log_in

walk guests "$GUESTS?since=$SINCE" ${ETAG:+-H "if-none-match: $ETAG"}
NEXT=$(header next-since) ETAG=$(header etag) OTHER=
# 410 resync_required ends the program here: remove the state, empty your table and start again.
if [ "$STATUS" != 304 ]; then
  walk deletions "$GUESTS/deletions?since=$SINCE"
  OTHER=$(header next-since)
fi
OTHER=${OTHER:-$NEXT}

## save
# The folder appears with all its files, and only then the state that the next poll begins with. After a crash
# in between, the next poll reads the same changes again and replaces the folder.
rm -f "$NEW/headers" "$NEW/body"
N=$((N + 1)) SINCE=$((NEXT < OTHER ? NEXT : OTHER))
rm -rf "guests-$EVENT-$N" && mv "$NEW" "guests-$EVENT-$N"
printf "N=%s SINCE=%s ETAG='%s'\n" "$N" "$SINCE" "$ETAG" >"$STATE.new"
mv "$STATE.new" "$STATE"
echo "guests-$EVENT-$N"
