import { Note } from './note.tsx';

/** What is wrong with a form as a whole, above its button. */
export function FormError({ message }: { message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <Note tone="bad" announcedAs="alert">
      {message}
    </Note>
  );
}
