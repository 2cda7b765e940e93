/** Another key of the same form: its last character is a different one, whatever it was. */
export function changeLast(secret: string): string {
  return `${secret.slice(0, -1)}${secret.endsWith('x') ? 'y' : 'x'}`;
}
