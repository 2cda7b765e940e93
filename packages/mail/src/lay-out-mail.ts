import type { Mail } from './queue-mail.ts';

export interface MailParts {
  subject: string;
  /** Plain sentences; each a paragraph. */
  paragraphs: string[];
  /** Six digits, shown large. */
  code?: string;
  action?: { label: string; link: string };
  /** After the action, smaller. */
  closing: string[];
}

/** Writes an email twice: as text for every reader, and as HTML that needs no image, style sheet or script. */
export function layOutMail(parts: MailParts): Mail {
  return { subject: parts.subject, text: writeText(parts), html: writeHtml(parts) };
}

function writeText({ paragraphs, code, action, closing }: MailParts): string {
  const blocks = [...paragraphs];
  if (code !== undefined) blocks.push(`    ${code}`);
  if (action !== undefined) blocks.push(`${action.label}:\n${action.link}`);
  return `${[...blocks, ...closing, '-- \nTollgate'].join('\n\n')}\n`;
}

const PARAGRAPH = 'margin:0 0 16px;font-size:15px;line-height:1.5;color:#1c1917';
const CLOSING = 'margin:0 0 8px;font-size:13px;line-height:1.5;color:#6b6560';
const CODE =
  'margin:0 0 20px;font:600 30px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px;color:#1c1917';
const BUTTON =
  'display:inline-block;padding:11px 18px;border-radius:8px;background:#0b6b53;color:#ffffff;font-size:15px;text-decoration:none';

function writeHtml({ subject, paragraphs, code, action, closing }: MailParts): string {
  const blocks = paragraphs.map((text) => `<p style="${PARAGRAPH}">${escapeHtml(text)}</p>`);
  if (code !== undefined) blocks.push(`<p style="${CODE}">${escapeHtml(code)}</p>`);
  if (action !== undefined)
    blocks.push(
      `<p style="margin:0 0 24px"><a href="${escapeHtml(action.link)}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>`,
    );
  blocks.push(...closing.map((text) => `<p style="${CLOSING}">${escapeHtml(text)}</p>`));
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="margin:0;padding:32px 16px;background:#f7f5f2;font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif">',
    '<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e7e2dc;border-radius:12px">',
    '<p style="margin:0 0 24px;font-size:15px;font-weight:600;color:#1c1917">Tollgate</p>',
    ...blocks,
    '</div></body></html>',
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
