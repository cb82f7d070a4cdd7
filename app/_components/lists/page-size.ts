/** The maximum for the rows of one list page, as JSON. The HTML of the page is up to six times as large. */
export const pageBytesMax = 50_000;
