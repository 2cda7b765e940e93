/**
 * Keeps a silent connection of a dialect without ping events: a comment line, which belongs to the next event.
 * A blank line behind it would be an empty event, at which some readers fail (`openai-go` 1).
 */
export const PING_LINE = ': ping\n';
