import { Buffer } from 'node:buffer';
import { parseJson } from '@tollgate/dialects/json/parse-object';
import { takePage, toPage, type PageQuery } from './list-page.ts';
import { showItem } from './shown-item.ts';

/**
 * Writes a page of the items of a stored input.
 * @param input a JSON list of items
 * @param responseId whose input it is
 * @returns JSON; null if `after` names none of the items
 */
export function writePage(input: Buffer, responseId: string, query: PageQuery): Buffer | null {
  const given = parseJson(input.toString('utf8'));
  const stem = responseId.replace(/^resp_/, '');
  const items = (Array.isArray(given) ? given : []).map((item, index) =>
    showItem(item, `msg_${stem}_in${index}`),
  );
  const page = takePage(items, query);
  return page && Buffer.from(JSON.stringify(toPage(page, query)));
}
