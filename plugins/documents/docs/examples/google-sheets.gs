// A script for Google Sheets (Extensions, Apps Script): fills the sheet "export" with all records of a list. Store a
// token in the script properties (Project Settings) as TOKEN, run refresh, and add a trigger that runs it every hour.
// Google must be able to reach the service.
function refresh() {
  const response = UrlFetchApp.fetch("http://127.0.0.1:8080/your-family/v1/events/your-event-id/guests/export?since=-1", {
    headers: {
      Authorization: "Bearer " + PropertiesService.getScriptProperties().getProperty("TOKEN"),
      Accept: "text/csv; for=spreadsheet",
    },
  })
  const rows = Utilities.parseCsv(response.getContentText("UTF-8"))
  const file = SpreadsheetApp.getActive()
  const sheet = file.getSheetByName("export") || file.insertSheet("export")
  sheet.clear()
  // As text: postcodes keep their zeros.
  sheet.getRange(1, 1, rows.length, rows[0].length).setNumberFormat("@").setValues(rows)
}
