/** Ignores thousands separators in pasted numbers. @returns null if the text is empty, NaN if it is no number */
export function readNumberText(text: string): number | null {
  const plain = text.replace(/[,\s]/g, '');
  return plain === '' ? null : Number(plain);
}
