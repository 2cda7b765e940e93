-- Documents are only added. Erasing a person replaces their email and the name of their account.
CREATE OR REPLACE FUNCTION refuse_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF to_jsonb(NEW) - 'payer_email' - 'account_name' = to_jsonb(OLD) - 'payer_email' - 'account_name'
      AND (NEW.payer_email = OLD.payer_email OR NEW.payer_email LIKE '%@deleted.invalid')
      AND (NEW.account_name = OLD.account_name OR NEW.account_name = 'Deleted account')
    THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'billing documents are never changed' USING ERRCODE = 'restrict_violation';
END $$;
