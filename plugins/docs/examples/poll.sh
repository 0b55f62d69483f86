## log-in
# curl 7.84 or newer. The password is in the environment: export EXPORT_PASSWORD=…
BASE=http://127.0.0.1:8080
FAMILY=/your-family/v1
umask 077 # only you can read the cookie file

curl -sS --fail-with-body -c cookies.txt "$BASE/session" \
  -H 'content-type: application/json' -d @- <<JSON
{"username": "your-name", "password": "$EXPORT_PASSWORD"}
JSON

## events
EVENTS=$(curl -sS --fail-with-body -b cookies.txt "$BASE$FAMILY/events")
echo "$EVENTS"

# the first of them; put the id of yours here
EVENT=$(echo "$EVENTS" | grep -oE '"id":"[^"]+' | head -n 1 | cut -d '"' -f 4)
GUESTS="$BASE$FAMILY/events/$EVENT/guests"

## first-poll
# A page of one record, as a sample. Your copy starts with the next step.
curl -sS --fail-with-body -b cookies.txt -i -w '\n' "$GUESTS?since=-1&limit=1"

## paging
# Writes each page to its own file. Options after the name are for the first page.
walk() {
  URL=$1 NAME=$2 PAGE=0
  shift 2
  while [ -n "$URL" ]; do
    PAGE=$((PAGE + 1))
    curl -sS --fail-with-body -b cookies.txt -D headers.txt -o "$NAME-$PAGE.json" "$@" "$URL" || return
    tr -d '\r' <headers.txt >"headers-$PAGE.txt"
    URL=$(sed -n 's/^[Ll]ink: <\(.*\)>; rel="next"$/\1/p' "headers-$PAGE.txt")
    STATUS=$(head -n 1 headers-1.txt | cut -d ' ' -f 2)
    if [ "$STATUS" = 304 ]; then break; fi
    set --
  done
  # Both are from the first page, and only change when all pages are there.
  NEXT=$(grep -i '^next-since:' headers-1.txt | cut -d ' ' -f 2)
  ETAG=$(grep -i '^etag:' headers-1.txt | cut -d ' ' -f 2)
}
walk "$GUESTS?since=-1" guests
echo "$PAGE pages; next time since=$NEXT"

## next-poll
# Reads only changes. If the tag still matches, the status is 304 and there is no body:
# nothing on this page or after it has changed.
poll() {
  walk "$GUESTS?since=$NEXT" changes -H "If-None-Match: $ETAG"
  echo "$STATUS, next time since=$NEXT"
}
poll
poll

## deletions
curl -sS --fail-with-body -b cookies.txt -w '\n' "$GUESTS/deletions?since=$NEXT"

## reconciliation
# The service's digest of the records whose id begins with 0, and yours.
curl -sS --fail-with-body -b cookies.txt -w '\n' "$GUESTS/digest?bucket=0"
cat guests-*.json | grep -oE '"(id|updated)":"?[^",}]+' | sed -E 's/.*:"?//' |
  paste -d ' ' - - | LC_ALL=C sort -u >copy.txt
grep '^0' copy.txt | sha256sum

## items
ITEMS="$BASE$FAMILY/events/$EVENT/items"
curl -sS --fail-with-body -b cookies.txt -i -w '\n' "$ITEMS?since=-1&limit=1"

## errors
# Without --fail-with-body curl prints the error and continues.
curl -sS -b cookies.txt -w '\n' "$GUESTS?ofset=1000"

## whole
curl -sS --fail-with-body -b cookies.txt -X DELETE "$BASE/session"
rm cookies.txt
