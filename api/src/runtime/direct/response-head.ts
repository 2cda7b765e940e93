import { STATUS_CODES } from 'node:http';

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

/** The first line for a status. */
const STATUS_LINES = new Map<number, string>();

function getStatusLine(status: number): string {
  let line = STATUS_LINES.get(status);
  if (line === undefined) {
    line = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
    STATUS_LINES.set(status, line);
  }
  return line;
}

/**
 * The head of a response, one character for each byte.
 * @param headers names and values, none of which contains a character that could end its header
 * @param end the headers of the connection, and the empty line
 */
export function encodeResponseHead(status: number, headers: readonly string[], end: string): string {
  let head = getStatusLine(status);
  for (let at = 0; at + 1 < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return head + getDateHeader() + end;
}
