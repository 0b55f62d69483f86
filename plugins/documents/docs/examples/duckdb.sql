-- Reads all records of a list over HTTP with DuckDB. Replace TOKEN. The last line of an export is not a record.
install httpfs;
load httpfs;
create or replace secret event_export (
  type http,
  scope 'http://127.0.0.1:8080',
  extra_http_headers map {'Authorization': 'Bearer TOKEN', 'Accept': 'application/x-ndjson'}
);
select * exclude ("end")
from read_json('http://127.0.0.1:8080/your-family/v1/events/your-event-id/guests/export?since=-1', format = 'newline_delimited', sample_size = -1)
where id is not null;
