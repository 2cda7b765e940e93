import { CatchBoundary } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue } from 'react';
import { PlainAnswer } from './answer/plain-answer.tsx';
import { usePlainText } from './plain-text.ts';

const MarkdownText = lazy(async () => ({
  default: (await import('./answer/markdown-text.tsx')).MarkdownText,
}));

/** Longer texts are shown as they are: reading them again at each token would stall the page. */
const MOST_CHARACTERS = 100_000;

/** The text of a response, with its Markdown formatted unless the user turned that off or it cannot be formatted. */
export function AnswerText({ id, text }: { id: number; text: string }) {
  const isPlain = usePlainText();
  // Typing stays smooth while several responses stream: their texts are formatted when there is time.
  const settled = useDeferredValue(text);
  const plain = <PlainAnswer text={text} />;
  if (isPlain || text.length > MOST_CHARACTERS) return plain;
  return (
    <CatchBoundary getResetKey={() => settled} errorComponent={() => plain}>
      <Suspense fallback={plain}>
        <MarkdownText id={id} text={settled} />
      </Suspense>
    </CatchBoundary>
  );
}
