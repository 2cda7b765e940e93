/** The text of a response as it was sent. */
export function PlainAnswer({ text }: { text: string }) {
  return <p className="max-w-[75ch] break-words whitespace-pre-wrap">{text}</p>;
}
