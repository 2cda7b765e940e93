import { CopyButton } from '../../components/ui/copy-button.tsx';
import { Dialog, DialogBody, DialogContent } from '../../components/ui/dialog.tsx';
import { Input } from '../../components/ui/input.tsx';
import { Note } from '../../components/ui/note.tsx';
import { getConversation, type Turn } from './conversation.ts';
import { readPlayground } from './playground-store.ts';
import { encodeShare } from './share-link.ts';

interface ShareDialogProps {
  accountId: string;
  models: readonly string[];
  onClose: () => void;
}

/** A link to the prompt and the settings. */
export function ShareDialog({ accountId, models, onClose }: ShareDialogProps) {
  const link = buildLink(accountId, models);
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title="Share"
        description="Members of this installation can open the link. They send the prompt with their own key."
      >
        <DialogBody>
          {link === null ? (
            <Note tone="warn">
              The prompt is too long for a link, or contains your key. Shorten it and try again.
            </Note>
          ) : (
            <div className="flex gap-2">
              <Input readOnly aria-label="Link" value={link} className="font-mono text-[12.5px]" />
              <CopyButton text={link} label="Copy link" variant="primary" />
            </div>
          )}
          <ul className="grid list-disc gap-1 pl-5 text-[13px] text-ink-2">
            <li>Included: models, settings, system prompt, tools and your last message or draft.</li>
            <li>Not included: your key, responses, images and earlier messages.</li>
          </ul>
        </DialogBody>
      </DialogContent>
    </Dialog>
  );
}

/** @returns null if the prompt cannot be shared */
function buildLink(accountId: string, models: readonly string[]): string | null {
  const { conversations, draft, system, tools, key } = readPlayground(accountId);
  const prompt = draft.trim() === '' ? findLastMessage(getConversation(conversations, 0)) : draft;
  const fragment = encodeShare({ prompt, system, tools }, key?.secret ?? null);
  if (fragment === null) return null;
  const url = new URL(location.href);
  // The model of a URL without one depends on the account.
  url.searchParams.set('model', models[0] ?? '');
  url.searchParams.delete('account');
  url.hash = fragment;
  return url.href;
}

function findLastMessage(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.kind === 'user' && turn.text !== '');
  return last?.kind === 'user' ? last.text : '';
}
