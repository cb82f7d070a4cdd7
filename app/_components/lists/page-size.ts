/** The rows that one page of a list shows, as JSON. What else a page consists of makes up to six times as much of it. */
export const pageBytesMax = 50_000;
