/**
 * Puts the focus back on what opened a dialog when it closes, or on the page where that is gone. The dialogs of this
 * page have no trigger of their own, so Radix cannot know.
 */
export function returnFocusTo(opener: Element | null): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
    (isThere ? opener : document.getElementById('main'))?.focus();
  };
}
