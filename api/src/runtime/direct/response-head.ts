import { STATUS_CODES } from 'node:http';
import { isHeaderValue } from '../header-value.ts';

/** The last headers of all responses within a second. */
let lastSecond = -1;
let dateHeader = '';

function getDateHeader(): string {
  const nowMs = Date.now();
  const second = Math.floor(nowMs / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    dateHeader = `date: ${new Date(nowMs).toUTCString()}\r\n`;
  }
  return dateHeader;
}

/**
 * The head of a response, one character for each byte.
 * @param headers names and values
 * @param end the headers of the connection, and the empty line
 * @throws Error if a value contains a character that could end its header
 */
export function encodeResponseHead(status: number, headers: readonly string[], end: string): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const value = headers[at + 1] ?? '';
    if (!isHeaderValue(value)) throw new Error(`Invalid character in the header ${headers[at]}`);
    head += `${headers[at]}: ${value}\r\n`;
  }
  return head + getDateHeader() + end;
}
