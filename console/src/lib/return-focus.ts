/**
 * Returns the focus to the element that opened a dialog, or to the page if that element no longer exists. Radix cannot do this for
 * a dialog without a trigger.
 */
export function returnFocusTo(opener: Element | null): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
    (isThere ? opener : document.getElementById('main'))?.focus();
  };
}
