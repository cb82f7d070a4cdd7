/**
 * The rows that one page of a list shows, as JSON. Markup and the data of client components make up to ten times as
 * much of it.
 */
export const pageBytesMax = 20_000;
