import { X } from 'lucide-react';

/** A selected model. The hit area of its button is larger than the icon. */
export function ChosenModel({ model, onRemove }: { model: string; onRemove: () => void }) {
  return (
    <span className="my-1 inline-flex h-6 max-w-full items-center rounded-[5px] bg-accent-soft pl-[7px] text-xs text-accent">
      <span className="truncate">{model}</span>
      <button
        type="button"
        aria-label={`Remove ${model}`}
        onClick={onRemove}
        className="relative grid size-6 shrink-0 place-items-center rounded-[5px] after:absolute after:-inset-1 hover:bg-accent-line pointer-coarse:after:-inset-2.5"
      >
        <X aria-hidden className="size-3" />
      </button>
    </span>
  );
}
