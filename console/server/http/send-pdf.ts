import type { Context } from 'hono';
import type { Sheet } from '../documents/sheet.ts';
import type { AppEnv } from './app-env.ts';

/** Streams a document as PDF. @param name of the file, without its extension */
export async function sendPdf(c: Context<AppEnv>, sheet: Sheet, name: string): Promise<Response> {
  // Loaded on first use: fonts and the writer take memory.
  const { streamSheetPdf } = await import('../documents/sheet-pdf.ts');
  c.header('content-type', 'application/pdf');
  c.header('content-disposition', `attachment; filename="${name}.pdf"`);
  return c.req.method === 'HEAD' ? c.body(null) : c.body(streamSheetPdf(sheet));
}
