import { Send, Square, X } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';
import type { Catalogue } from '../../lib/trpc.ts';
import type { Distinction } from './compare-answers.ts';
import { isStreaming, type Turn } from './conversation.ts';
import { ModelPicker } from './model-field.tsx';
import { stopAnswer } from './playground-store.ts';
import { TurnList } from './turn-list.tsx';

interface ModelColumnProps {
  catalogue: Catalogue;
  model: string;
  /** Starts with 1. */
  number: number;
  turns: readonly Turn[];
  /** In what its last response is better than the others. */
  distinctions: readonly Distinction[];
  canSend: boolean;
  onChoose: (model: string) => void;
  onRemove: () => void;
  onAgain: () => void;
}

/** One of the models that are compared: its choice, its conversation, and the way to stop it. */
export function ModelColumn(props: ModelColumnProps) {
  const { catalogue, model, number, turns, distinctions, canSend, onChoose, onRemove, onAgain } = props;
  const last = turns.at(-1);
  return (
    <section aria-label={`Model ${number}: ${model}`} className="flex min-h-0 min-w-0 snap-start flex-col">
      <div className="flex items-center gap-1.5 border-b px-3 py-2">
        <div className="min-w-0 flex-1">
          <ModelPicker name={`Model ${number}`} catalogue={catalogue} model={model} onChoose={onChoose} />
        </div>
        {last !== undefined && isStreaming(turns) && (
          <Button size="sm" aria-label={`Stop model ${number}`} onClick={() => stopAnswer(last.id)}>
            <Square aria-hidden className="size-3.5" />
            Stop
          </Button>
        )}
        <Button
          variant="ghost"
          size="icon"
          aria-label={`Remove model ${number}`}
          title="Remove from comparison"
          onClick={onRemove}
        >
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <TurnList
        label={`Conversation with model ${number}`}
        turns={turns}
        catalogue={catalogue}
        distinctions={distinctions}
        onAgain={onAgain}
      />
      {last?.kind === 'user' && (
        <div className="px-5 pb-4">
          <Button size="sm" disabled={!canSend} onClick={onAgain}>
            <Send aria-hidden className="size-3.5" />
            Get a response
          </Button>
        </div>
      )}
    </section>
  );
}
