-- Actions that only operators and the command line do belong to the installation, also in accounts of which they are members.
DROP INDEX audit_log_installation;
CREATE INDEX audit_log_installation ON audit_log (at DESC, id DESC)
  WHERE actor_user_id IS NULL OR (account_id IS NULL AND split_part(action, '.', 1) <> 'user')
    OR action IN ('account.credit', 'account.plan', 'account.resume', 'account.suspend', 'account.view',
      'account.view_end', 'payment.refund', 'payment.refund_refused', 'request.view', 'user.sign_in_reset');
