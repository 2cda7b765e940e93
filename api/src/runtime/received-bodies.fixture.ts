/** The received response bodies, chunks decoded; a remainder that is not a response is kept unchanged. */
export function bodiesOf(text: string): string[] {
  return text
    .split(/HTTP\/1\.1 200 OK\r\n/)
    .slice(1)
    .map((each) => {
      let rest = each.slice(each.indexOf('\r\n\r\n') + 4);
      let body = '';
      for (;;) {
        const size = Number.parseInt(/^[\da-f]+(?=\r\n)/.exec(rest)?.[0] ?? '-1', 16);
        if (size < 0) return `${body}|${rest}`;
        const start = rest.indexOf('\r\n') + 2;
        body += rest.slice(start, start + size);
        rest = rest.slice(start + size + 2);
        if (size === 0) return `${body}.${rest}`;
      }
    });
}
