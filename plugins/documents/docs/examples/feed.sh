#!/bin/sh
# EXPORT_TOKEN=… sh feed.sh: brings a copy of an event up to date, and can be killed at any moment. copy.ndjson has a
# line per guest or item; its last line is the cursor. The file is replaced as a whole, so the two always match.
set -eu
umask 077
FEED='http://127.0.0.1:8080/your-family/v1/events/your-event-id/changes' COPY=copy.ndjson
PAGE=$COPY.page.$$ NEW=$COPY.new.$$
trap 'rm -f "$PAGE" "$NEW"' EXIT
[ -e "$COPY" ] || : >"$COPY"
while :; do
  AFTER=$(tail -n 1 "$COPY" | sed -n 's/^{"next":"\([^"]*\)".*/\1/p')
  # curl repeats the request after 429 and 503, as Retry-After says. The token does not show in the process list.
  STATUS=$(printf 'header = "authorization: Bearer %s"\n' "$EXPORT_TOKEN" |
    curl -sS -K - --compressed --max-time 60 --retry 5 -H 'accept: application/x-ndjson' \
      -o "$PAGE" -w '%{http_code}' "$FEED?after=$AFTER")
  if [ "$STATUS" = 410 ]; then # too long ago: start again with an empty copy
    : >"$NEW" && mv "$NEW" "$COPY" && continue
  elif [ "$STATUS" != 200 ]; then
    cat "$PAGE" >&2 && exit 1
  fi
  # The last line of each id counts: a record replaces an earlier one, and a deletion removes it.
  awk -F'"' '/^[{]"next"/ { cursor = $0; next } { key = $8 " " $12; copy[key] = $0; if ($14 == "deleted") delete copy[key] }
    END { for (key in copy) print copy[key]; print cursor }' "$COPY" "$PAGE" >"$NEW"
  mv "$NEW" "$COPY"
  tail -n 1 "$COPY" | grep -q '"more":true' || break
done
echo "$(grep -c '"record"' "$COPY" || :) records"
