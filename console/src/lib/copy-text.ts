/**
 * Puts text on the clipboard.
 * @returns false if the browser refused both ways: then the text has to be selected by hand
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard API exists only on https and localhost; a console on a plain-http LAN address needs this. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside the open dialog, whose focus trap would take the selection away elsewhere.
  const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
  const focused = document.activeElement;
  host.append(field);
  field.select();
  // eslint-disable-next-line typescript/no-deprecated -- the only way outside a secure context
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
