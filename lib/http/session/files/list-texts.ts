import { csvCell } from "./csv-cell";

type Batches<Row> = AsyncGenerator<Row[]>;

/** The columns of a file; their order is part of what we promise, so new ones come at the end. */
export type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => string | null])[];

interface List<Row> {
  /** What the list is. */
  about: object;
  columns: Columns<Row>;
  batches: Batches<Row>;
}

/** A list as CSV, RFC 4180. */
async function* csvTexts<Row>({ columns, batches }: List<Row>) {
  const line = (cells: string[]) => `${cells.join(",")}\r\n`;
  yield line(columns.map(([name]) => name));
  for await (const rows of batches) {
    yield rows.map((row) => line(columns.map(([, cell]) => csvCell(cell(row) ?? "")))).join("");
  }
}

/** A list as JSON: what it is, then its rows under `events`. */
async function* jsonTexts<Row>({ about, batches }: List<Row>) {
  yield `${JSON.stringify(about).slice(0, -1)},"events":[\n`;
  let between = "";
  for await (const rows of batches) {
    yield `${between}${rows.map((row) => JSON.stringify(row)).join(",\n")}`;
    between = ",\n";
  }
  yield "\n]}\n";
}

/** The files that a list can be saved as. */
export const listFormats = {
  csv: { type: "text/csv; charset=utf-8", texts: csvTexts },
  json: { type: "application/json; charset=utf-8", texts: jsonTexts },
};
