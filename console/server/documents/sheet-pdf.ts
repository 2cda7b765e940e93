import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import PdfWriter from 'pdfkit';
import { hasMissingLetters } from './pdf-letters.ts';
import type { Sheet, SheetTable } from './sheet.ts';

const require = createRequire(import.meta.url);
/** Latin, Greek, Cyrillic and Vietnamese letters: see `hasMissingLetters`. */
const REGULAR = require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf');
const BOLD = require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf');
const MISSING_LETTERS =
  'This PDF cannot show all characters of this document. Print its page in the console to see them.';
const INK = '#1c1a17';
const INK_2 = '#5c564c';
const LINE = '#d6d0c5';
const MARGIN = 56;
const CELL_PADDING = { top: 5, bottom: 5, left: 0, right: 8 };
/** Width of a column of numbers, in points. */
const NUMBER_WIDTH = 110;

/** Writes a document as PDF (A4), piece by piece. */
export function streamSheetPdf(sheet: Sheet): ReadableStream<Uint8Array> {
  const pdf = new PdfWriter({
    size: 'A4',
    margin: MARGIN,
    lang: 'en',
    displayTitle: true,
    info: { Title: `${sheet.title} ${sheet.number}`, Creator: 'Tollgate', Producer: 'Tollgate' },
  });
  const stream = Readable.toWeb(Readable.from(pdf)) as ReadableStream<Uint8Array>;
  pdf.registerFont('regular', REGULAR);
  pdf.registerFont('bold', BOLD);
  writeHead(pdf, sheet);
  for (const table of sheet.tables) writeTable(pdf, table);
  for (const note of sheet.notes) pdf.font('regular', 9).fillColor(INK_2).text(note).moveDown(0.5);
  pdf.end();
  return stream;
}

type Pdf = PDFKit.PDFDocument;

function writeHead(pdf: Pdf, sheet: Sheet): void {
  pdf.font('bold', 20).fillColor(INK).text(sheet.title);
  pdf.font('regular', 10).fillColor(INK_2).text(sheet.number).moveDown();
  if (sheet.warning !== null) pdf.font('bold', 10).fillColor(INK).text(sheet.warning).moveDown();
  if (hasMissingLetters(sheet)) pdf.font('bold', 10).fillColor(INK).text(MISSING_LETTERS).moveDown();
  for (const { heading, lines } of sheet.parties) {
    pdf.font('bold', 10).fillColor(INK).text(heading);
    pdf.font('regular', 10);
    for (const line of lines) pdf.text(line);
    pdf.moveDown();
  }
  for (const [name, value] of sheet.facts) {
    pdf.font('regular', 10).fillColor(INK_2).text(`${name}: `, { continued: true });
    pdf.fillColor(INK).text(value);
  }
  pdf.moveDown();
}

function writeTable(pdf: Pdf, { heading, columns, rows, foot }: SheetTable): void {
  if (heading !== null) pdf.font('bold', 12).fillColor(INK).text(heading, MARGIN).moveDown(0.4);
  const table = pdf.font('regular', 9).table({
    columnStyles: columns.map(({ isNumber }) => ({
      width: isNumber ? NUMBER_WIDTH : '*',
      align: { x: isNumber ? ('right' as const) : ('left' as const), y: 'top' as const },
      border: { top: 0, right: 0, bottom: 0.5, left: 0 },
      borderColor: { top: LINE, right: LINE, bottom: LINE, left: LINE },
      // Digits of the same width, so that amounts align.
      textOptions: isNumber ? { features: ['tnum' as const] } : {},
      padding: CELL_PADDING,
    })),
  });
  const writeRow = (cells: readonly string[], font: 'regular' | 'bold', textColor: string) =>
    table.row(cells.map((text) => ({ text, textColor, font: { family: font, src: font } })));
  writeRow(
    columns.map(({ head }) => head),
    'bold',
    INK_2,
  );
  for (const row of rows) writeRow(row, 'regular', INK);
  for (const row of foot) writeRow(row, 'bold', INK);
  table.end();
  pdf.x = MARGIN;
  pdf.moveDown();
}
