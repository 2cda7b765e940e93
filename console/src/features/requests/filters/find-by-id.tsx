import { requestIdSchema } from '@tollgate/core/requests/request-filter';
import { Search } from 'lucide-react';
import { useRef, useState } from 'react';
import { Input } from '../../../components/ui/input.tsx';
import { Kbd } from '../../../components/ui/kbd.tsx';
import { useHotkey } from '../../../lib/hotkeys.ts';

/** Opens a request by ID, regardless of the filters. */
export function FindById({ onFind }: { onFind: (requestId: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  useHotkey('/', () => input.current?.focus());
  return (
    <form
      aria-label="Find a request by ID"
      className="relative self-start"
      onSubmit={(event) => {
        event.preventDefault();
        const id = requestIdSchema.safeParse(text);
        setIsWrong(!id.success && text.trim() !== '');
        if (!id.success) return;
        onFind(id.data);
        setText('');
      }}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-[15px] -translate-y-1/2 text-ink-3"
      />
      <Input
        ref={input}
        aria-label="Request ID"
        aria-keyshortcuts="/"
        aria-invalid={isWrong || undefined}
        title={isWrong ? 'A request ID starts with req_' : 'Press Enter to open'}
        placeholder="Request ID"
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setIsWrong(false);
        }}
        className="peer px-8"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 peer-focus:hidden pointer-coarse:hidden"
      >
        <Kbd>/</Kbd>
      </span>
    </form>
  );
}
