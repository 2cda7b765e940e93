import { keyTagsSchema } from '@tollgate/core/keys/key-tags';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Field } from '../../../components/ui/field.tsx';
import { Form } from '../../../components/ui/form.tsx';
import { Input } from '../../../components/ui/input.tsx';
import { describeError } from '../../../lib/api-error.ts';
import { queryClient } from '../../../lib/query-client.ts';
import { trpc, type KeyView } from '../../../lib/trpc.ts';
import { readTags } from './read-tags.ts';
import { TagChips } from './tag-chips.tsx';

interface TagEditorProps {
  accountId: string;
  view: KeyView;
  canEdit: boolean;
}

/** Edits the tags of a key in place. Tags only help to find keys and are not part of the scope. */
export function TagEditor({ accountId, view, canEdit }: TagEditorProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  if (isOpen) return <TagForm accountId={accountId} view={view} onClose={close} />;
  return (
    <div className="-mt-1 flex flex-wrap items-center gap-2">
      <TagChips tags={view.tags} />
      {view.tags.length === 0 && <span className="pt-1 text-ink-3">None</span>}
      {canEdit && (
        <Button
          ref={button}
          variant="ghost"
          size="sm"
          className="-ml-2 h-7 px-2"
          aria-label="Edit tags"
          onClick={() => setIsOpen(true)}
        >
          Edit
        </Button>
      )}
    </div>
  );
}

function TagForm({ accountId, view, onClose }: Omit<TagEditorProps, 'canEdit'> & { onClose: () => void }) {
  const [text, setText] = useState(view.tags.join(', '));
  const save = useMutation(
    trpc.keys.setTags.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.keys.pathFilter());
        onClose();
      },
    }),
  );
  const tags = readTags(text);
  const checked = keyTagsSchema.safeParse(tags);
  const error = checked.success ? undefined : checked.error.issues[0]?.message;
  return (
    <Form
      onSubmit={() => {
        if (checked.success) save.mutate({ accountId, keyId: view.id, tags });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Field
        label="Tags, comma-separated"
        error={error ?? (save.isError ? describeError(save.error) : undefined)}
      >
        {(control) => (
          <Input
            {...control}
            // The user just opened the form.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="prod, team-search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="mt-2 flex gap-2">
        <Button type="submit" size="sm" variant="primary" isPending={save.isPending}>
          Save tags
        </Button>
        <Button size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
