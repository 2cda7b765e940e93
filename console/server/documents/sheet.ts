/** Content of a printed document. Its page and its PDF show the same. */
export interface Sheet {
  /** `Receipt`. */
  title: string;
  number: string;
  /** A line that must not be overlooked; null: none. */
  warning: string | null;
  parties: { heading: string; lines: string[] }[];
  facts: [name: string, value: string][];
  tables: SheetTable[];
  notes: string[];
}

export interface SheetTable {
  /** null: the document has only one. */
  heading: string | null;
  columns: { head: string; isNumber: boolean }[];
  rows: string[][];
  /** Rows below the others, such as a total. */
  foot: string[][];
}
