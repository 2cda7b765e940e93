import { extractText, getDocumentProxy } from 'unpdf';
import { expect, it } from 'vitest';
import { hasMissingLetters } from './pdf-letters.ts';
import { writeSheetPage } from './sheet-page.ts';
import { streamSheetPdf } from './sheet-pdf.ts';
import type { Sheet } from './sheet.ts';

const HINT = 'This PDF cannot show all characters';

function getSheet(name: string): Sheet {
  return {
    title: 'Receipt',
    number: 'R-2026-000001',
    warning: null,
    parties: [{ heading: 'Billed to', lines: [name] }],
    facts: [['Paid', 'November 28, 2026']],
    tables: [{ heading: null, columns: [{ head: 'Item', isNumber: false }], rows: [['Top-up']], foot: [] }],
    notes: [],
  };
}

async function readPdf(sheet: Sheet): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(await new Response(streamSheetPdf(sheet)).arrayBuffer()));
  return (await extractText(pdf, { mergePages: true })).text.replace(/\s+/g, ' ');
}

it.each(['東京ガス株式会社', '(주)회사', 'חברה', 'บริษัท', 'Acme 🙂'])(
  'says that the PDF cannot show %s, and that the page can',
  async (name) => {
    const sheet = getSheet(name);
    expect(await readPdf(sheet)).toContain(HINT);
    const page = writeSheetPage(sheet, { pdf: '/receipt.pdf', corrections: [] });
    expect(page).toContain(name);
    expect(page).toContain('Print this page instead');
  },
);

it.each(['Größe & Söhne', 'Ελλάδα', 'Київ', 'Công ty Việt Nam', '€ 12.00 – “x” ©', 'e\u0301'])(
  'shows %s without a hint',
  async (name) => {
    const sheet = getSheet(name);
    expect(hasMissingLetters(sheet)).toBe(false);
    const text = await readPdf(sheet);
    expect(text.normalize('NFC')).toContain(name.normalize('NFC'));
    expect(text).not.toContain(HINT);
    expect(writeSheetPage(sheet, { pdf: '/receipt.pdf', corrections: [] })).not.toContain('instead');
  },
);
