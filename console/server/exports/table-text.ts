/**
 * What a cell of an export can hold. Money is text: a spreadsheet's numbers are floats. JSON keeps lists and objects. CSV has the
 * texts of a list, which contain no commas, in one cell, and an object as its text.
 */
export type Cell = string | number | boolean | null | readonly string[] | Readonly<Record<string, unknown>>;

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Writes the text of a table piece by piece: `begin`, any number of `rows`, `end`. */
export interface TableText {
  contentType: string;
  begin: string;
  rows(rows: readonly (readonly Cell[])[]): string;
  end: string;
}

export function tableText(format: ExportFormat, columns: readonly string[]): TableText {
  switch (format) {
    case 'csv':
      return csvText(columns);
    case 'json':
      return jsonText(columns);
    case 'ndjson':
      return ndjsonText(columns);
  }
}

/** https://www.rfc-editor.org/rfc/rfc4180 */
function csvText(columns: readonly string[]): TableText {
  const line = (cells: readonly Cell[]) => `${cells.map(csvCell).join(',')}\r\n`;
  return {
    contentType: 'text/csv; charset=utf-8; header=present',
    begin: line(columns),
    rows: (rows) => rows.map(line).join(''),
    end: '',
  };
}

/**
 * Spreadsheets execute text that starts like a formula, so it gets an apostrophe, which marks it as text. A negative
 * amount is a number and gets none. Some split cells at semicolons, so one may start a formula too.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return csvCell(Array.isArray(cell) ? cell.join(',') : JSON.stringify(cell));
  if (typeof cell !== 'string') return String(cell);
  const isFormula = /^[=+\-@\t\r\n]|;\s*[=+\-@]/.test(cell) && !/^-\d+\.\d+$/.test(cell);
  const text = isFormula ? `'${cell}` : cell;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** An array with an object for each row. A list that is cut off is not JSON, so it cannot be mistaken for a complete one. */
function jsonText(columns: readonly string[]): TableText {
  let isFirst = true;
  const write = (cells: readonly Cell[]) => {
    const lead = isFirst ? '\n' : ',\n';
    isFirst = false;
    return lead + jsonObject(columns, cells);
  };
  return {
    contentType: 'application/json; charset=utf-8',
    begin: '[',
    rows: (rows) => rows.map(write).join(''),
    end: '\n]\n',
  };
}

/** An object on each line, for programs that read one after the other. https://github.com/ndjson/ndjson-spec */
function ndjsonText(columns: readonly string[]): TableText {
  return {
    contentType: 'application/x-ndjson; charset=utf-8',
    begin: '',
    rows: (rows) => rows.map((cells) => `${jsonObject(columns, cells)}\n`).join(''),
    end: '',
  };
}

function jsonObject(columns: readonly string[], cells: readonly Cell[]): string {
  return JSON.stringify(Object.fromEntries(columns.map((name, index) => [name, cells[index] ?? null])));
}
