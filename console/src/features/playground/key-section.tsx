import { useId, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Form } from '../../components/ui/form.tsx';
import { Input } from '../../components/ui/input.tsx';
import { useHasRole } from '../../lib/current-account.ts';
import { useIsViewing } from '../../lib/session.ts';
import { formatDateTime } from '../../lib/format/time.ts';
import type { HeldKey } from './playground-state.ts';
import { changePlayground } from './playground-store.ts';

interface KeySectionProps {
  accountId: string;
  heldKey: HeldKey | null;
}

/** The key of the playground: a one-hour key created with the first request, or a pasted key. */
export function KeySection({ accountId, heldKey }: KeySectionProps) {
  const mayMake = useHasRole('member');
  const isViewing = useIsViewing();
  const [isPasting, setIsPasting] = useState(false);
  const headingId = useId();
  const hold = (key: HeldKey | null) => {
    setIsPasting(false);
    changePlayground(accountId, { key });
  };
  return (
    <section aria-labelledby={headingId} className="border-t pt-4 text-[12.5px]/[18px] text-ink-2">
      <h2 id={headingId} className="mb-1 text-[13px] font-medium text-ink">
        Key
      </h2>
      <p>{isViewing ? 'You cannot send requests while viewing an account.' : describe(heldKey, mayMake)}</p>
      {isViewing ? null : isPasting || (heldKey === null && !mayMake) ? (
        <PasteForm onPaste={(secret) => hold({ secret, origin: 'pasted', expiresAtMs: null })} />
      ) : (
        <div className="mt-2 flex gap-2">
          <Button size="sm" onClick={() => setIsPasting(true)}>
            {heldKey?.origin === 'pasted' ? 'Use another key' : 'Use your own key'}
          </Button>
          {heldKey !== null && (
            <Button size="sm" variant="ghost" onClick={() => hold(null)}>
              Discard key
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function describe(key: HeldKey | null, mayMake: boolean): string {
  if (key?.origin === 'pasted')
    return `Your key ending in ${key.secret.slice(-4)}. It is kept only in this browser tab until you close it or sign out.`;
  if (key !== null && key.expiresAtMs !== null)
    return `“Playground” key ending in ${key.secret.slice(-4)}. Budget $1, expires ${formatDateTime(new Date(key.expiresAtMs))}.`;
  return mayMake
    ? 'Your first message creates a key named “Playground”. It has a $1 budget and expires in one hour.'
    : 'Your role cannot create keys. Paste a key to use it. It is kept only in this browser tab until you close it or sign out.';
}

function PasteForm({ onPaste }: { onPaste: (secret: string) => void }) {
  const [text, setText] = useState('');
  const secret = text.trim();
  return (
    <Form
      className="mt-2 flex gap-2"
      onSubmit={() => {
        if (secret !== '') onPaste(secret);
      }}
    >
      <Input
        type="password"
        aria-label="API key"
        placeholder="sk-…"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="font-mono text-[12.5px]"
      />
      <Button type="submit" disabled={secret === ''}>
        {' '}
        Use key{' '}
      </Button>
    </Form>
  );
}
