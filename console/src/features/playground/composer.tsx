import { ImagePlus, Send, Square, X } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Textarea } from '../../components/ui/textarea.tsx';
import {
  getConversation,
  getResultKey,
  isStreaming,
  openToolCalls,
  type ImageInput,
} from './conversation.ts';
import { changePlayground, stopAnswers, usePlayground } from './playground-store.ts';
import { IMAGE_TYPES, readImage } from './read-image.ts';
import type { useSender } from './use-sender.ts';

interface ComposerProps {
  accountId: string;
  sender: ReturnType<typeof useSender>;
}

/** Message input. Enter sends, Shift+Enter inserts a line break. */
export function Composer({ accountId, sender }: ComposerProps) {
  const { draft, image, conversations, results } = usePlayground(accountId);
  const { models } = sender.options;
  const [error, setError] = useState<string | null>(null);
  const shown = models.map((_, place) => getConversation(conversations, place));
  const isAnyStreaming = shown.some(isStreaming);
  const calls = shown.flatMap((turns, place) =>
    openToolCalls(turns).map((call) => ({
      resultKey: getResultKey(place, call.id),
      name: call.name,
      model: models.length > 1 ? (models[place] ?? null) : null,
    })),
  );
  const isAnswered =
    calls.length > 0 && calls.every(({ resultKey }) => (results[resultKey] ?? '').trim() !== '');
  const hasMessage = draft.trim() !== '' || image !== null;
  const isReady = calls.length === 0 ? hasMessage : isAnswered;
  const canSend = !isAnyStreaming && isReady && sender.isPayable && sender.toolsError === null;
  const send = () => {
    if (canSend) sender.send();
  };
  const attach = async (file: File | undefined) => {
    if (file === undefined) return;
    const read = await readImage(file);
    setError(read.ok ? null : read.message);
    if (read.ok) changePlayground(accountId, { image: read.image });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2 border-t p-3">
      {calls.map((call) => (
        <ResultField key={call.resultKey} accountId={accountId} call={call} results={results} />
      ))}
      {image !== null && (
        <Attached image={image} onRemove={() => changePlayground(accountId, { image: null })} />
      )}
      {error !== null && (
        <p role="alert" className="text-[12.5px] text-danger">
          {error}
        </p>
      )}
      <Textarea
        aria-label="Message"
        placeholder={calls.length > 0 ? 'Message (optional)' : 'Message'}
        rows={2}
        value={draft}
        onChange={(event) => changePlayground(accountId, { draft: event.target.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
        className="max-h-60 resize-none"
      />
      <div className="flex items-center gap-2">
        <ImageButton onFile={(file) => void attach(file)} />
        <span className="mr-auto text-[12.5px] text-ink-3 pointer-coarse:hidden">
          Enter to send, Shift+Enter for a new line
        </span>
        {isAnyStreaming ? (
          <Button className="ml-auto" onClick={() => stopAnswers(accountId)}>
            <Square aria-hidden className="size-3.5" />
            {models.length > 1 ? 'Stop all' : 'Stop'}
          </Button>
        ) : (
          <Button className="ml-auto" variant="primary" disabled={!canSend} onClick={send}>
            <Send aria-hidden className="size-3.5" />
            Send
          </Button>
        )}
      </div>
    </div>
  );
}

interface ResultFieldProps {
  accountId: string;
  /** `model` is null if there is only one. */
  call: { resultKey: string; name: string; model: string | null };
  results: Readonly<Record<string, string>>;
}

/** Fields for tool results, which the person enters. */
function ResultField({ accountId, call, results }: ResultFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-[5px] block text-[13px] font-medium">
        Result of <span className="font-mono">{call.name}</span>
        {call.model !== null && ` for ${call.model}`}
      </label>
      <Textarea
        id={id}
        rows={2}
        value={results[call.resultKey] ?? ''}
        onChange={(event) =>
          changePlayground(accountId, { results: { ...results, [call.resultKey]: event.target.value } })
        }
        className="font-mono text-[12.5px]"
      />
    </div>
  );
}

function Attached({ image, onRemove }: { image: ImageInput; onRemove: () => void }) {
  return (
    <div className="flex items-center gap-2">
      <img
        src={`data:${image.mediaType};base64,${image.base64}`}
        alt=""
        className="size-10 rounded-md border object-cover"
      />
      <span className="min-w-0 truncate text-[13px]">{image.name}</span>
      <Button variant="ghost" size="icon" aria-label={`Remove ${image.name}`} onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

function ImageButton({ onFile }: { onFile: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={IMAGE_TYPES}
        aria-label="Image to send"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          onFile(event.target.files?.[0]);
          // Allow choosing the same file again.
          event.target.value = '';
        }}
      />
      <Button
        variant="ghost"
        size="icon"
        aria-label="Add image"
        title="Add image"
        onClick={() => input.current?.click()}
      >
        <ImagePlus aria-hidden className="size-4" />
      </Button>
    </>
  );
}
