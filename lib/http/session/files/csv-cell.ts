// Where a formula could begin: at the start, and after what some spreadsheets take for the end of a cell.
const formulaStart = /^(?=[=+\-@\t\r\n|%])|(?<=[;\t\r\n])(?=[ "]*[=+\-@|%])/g;

/** RFC 4180; and no spreadsheet takes somebody else's text for a formula. */
export function csvCell(text: string): string {
  const inert = text.replace(formulaStart, "'");
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
