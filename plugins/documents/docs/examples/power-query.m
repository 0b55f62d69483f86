// A query for Power BI and Excel (Get Data, Blank Query, Advanced Editor): all records of a list. Replace TOKEN,
// and choose "Anonymous" when it asks how to connect.
let
    Token = "TOKEN",
    Source = Web.Contents("http://127.0.0.1:8080/your-family/v1", [
        RelativePath = "events/your-event-id/guests/export",
        Query = [since = "-1"],
        Headers = [Authorization = "Bearer " & Token, Accept = "text/csv"]
    ]),
    Rows = Csv.Document(Source, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv])
in
    Table.PromoteHeaders(Rows)
