-- +goose Up
-- The rules that the database can hold, it holds: amounts, balances, one hold and one posting per settlement, one live
-- paying nonce, no bytes without a commit, effects only from final blocks, no void without proof.

-- ---------------------------------------------------------------------------------------------------------- domains
-- numeric(78,0) would round 1.5 to 2, and NaN is above every number; a CHECK on plain numeric refuses both.
CREATE DOMAIN amount AS numeric
    CHECK (VALUE >= 0 AND VALUE <= 115792089237316195423570985008687907853269984665640564039457584007913129639935 AND scale(VALUE) = 0);
-- Sums of amounts: 2^64 times the largest amount.
CREATE DOMAIN total AS numeric
    CHECK (VALUE >= 0 AND VALUE < 2135987035920910082395021706169552114602704522356652769947041607822219725780640550022962086936576 AND scale(VALUE) = 0);
CREATE DOMAIN address AS bytea CHECK (octet_length(VALUE) = 20);
CREATE DOMAIN hash32 AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN chain_id AS bigint CHECK (VALUE > 0);
CREATE DOMAIN block_number AS bigint CHECK (VALUE >= 0);

-- A guarded statement that travels in one round trip with COMMIT cannot be checked by the client: this check raises instead,
-- and the server skips the COMMIT.
-- +goose StatementBegin
CREATE FUNCTION must(ok boolean, what text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF ok IS NOT TRUE THEN
        RAISE EXCEPTION '%', what USING ERRCODE = 'QT001';
    END IF;
    RETURN true;
END $$;
-- +goose StatementEnd

-- ---------------------------------------------------------------------------------------------------------- registry
-- Singleton: which cluster this is. A change of identifier or timeline means a restore.
CREATE TABLE cluster (
    singleton         boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    system_identifier text        NOT NULL,
    timeline          integer     NOT NULL,
    epoch             integer     NOT NULL DEFAULT 1 CHECK (epoch > 0),
    recorded_at       timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE chains (
    chain_id       chain_id PRIMARY KEY,
    genesis        hash32       NOT NULL,
    vault          address      NOT NULL,           -- where new settlements are paid from
    start_block    block_number NOT NULL,           -- the vault's deployment: the listener begins here
    finality       text         NOT NULL CHECK (finality IN ('depth', 'tag')),
    finality_depth integer      NOT NULL CHECK (finality_depth BETWEEN 1 AND 10000),
    tip_floor      amount       NOT NULL,           -- wei per gas
    created_at     timestamptz  NOT NULL DEFAULT now(),
    stopped        text         CONSTRAINT chains_stopped_says_why CHECK (stopped <> '') -- why an operator stopped all payments; NULL when they go on
);

-- Every vault a chain ever had; a settlement pins one.
CREATE TABLE vaults (
    chain_id chain_id NOT NULL REFERENCES chains,
    vault    address  NOT NULL,
    PRIMARY KEY (chain_id, vault)
);

CREATE TABLE assets (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id    chain_id    NOT NULL REFERENCES chains,
    symbol      text        NOT NULL CHECK (symbol ~ '^[A-Z][A-Z0-9.]{0,15}$'),
    token       address     NOT NULL,               -- 20 zero bytes: the native coin
    decimals    smallint    NOT NULL CHECK (decimals BETWEEN 0 AND 77),
    fee_ceiling amount      NOT NULL,               -- wei a settlement may cost before its nonce is taken
    stopped     text        CHECK (stopped <> ''),  -- why new submissions are stopped; NULL when they are not
    reverts_to  bytea[]     NOT NULL DEFAULT '{}',  -- recipients of the payments in a row that reverted and count
    reverts_by  bigint[]    NOT NULL DEFAULT '{}',  -- and the accounts that paid
    reverts_in_row integer  NOT NULL GENERATED ALWAYS AS (cardinality(reverts_to)) STORED,
    hourly_budget amount    CONSTRAINT assets_budget_is_something CHECK (hourly_budget > 0), -- what nonces may be allocated for within an hour; NULL: no bound
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT assets_reverts_are_pairs CHECK (cardinality(reverts_to) = cardinality(reverts_by)),
    UNIQUE (chain_id, symbol),
    UNIQUE (chain_id, token),
    UNIQUE (id, chain_id, token)
);

-- Vault liquidity. balance is what the chain said at balance_block; in_flight is the sum of all payments whose nonce is
-- allocated and not yet finally consumed. A mined payment counts in both for a while, which errs on the safe side.
CREATE TABLE asset_liquidity (
    asset_id      bigint PRIMARY KEY REFERENCES assets,
    balance       amount       NOT NULL DEFAULT 0,
    balance_block block_number NOT NULL DEFAULT 0,
    in_flight     total        NOT NULL DEFAULT 0
);

-- What was allocated of an asset with a budget, by minute. A minute counts until all of it is an hour old, so it counts for
-- at most 61 minutes and never for less than 60.
CREATE TABLE asset_spending (
    asset_id bigint      NOT NULL REFERENCES assets,
    minute   timestamptz NOT NULL CONSTRAINT asset_spending_by_minute CHECK (date_trunc('minute', minute AT TIME ZONE 'UTC') = minute AT TIME ZONE 'UTC'),
    amount   total       NOT NULL,
    PRIMARY KEY (asset_id, minute)
) WITH (fillfactor = 50);

CREATE TABLE destinations (
    name     text PRIMARY KEY CHECK (name ~ '^[a-z0-9][a-z0-9:_-]{0,63}$'),
    kind     text NOT NULL CHECK (kind IN ('temporal', 'nats', 'webhook')),
    internal boolean NOT NULL GENERATED ALWAYS AS (kind = 'temporal') STORED,
    enabled  boolean NOT NULL DEFAULT true
);
INSERT INTO destinations (name, kind) VALUES ('temporal', 'temporal'), ('nats', 'nats');

-- ---------------------------------------------------------------------------------------------------------- ledger
CREATE TABLE accounts (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant        text NOT NULL DEFAULT 'default' CHECK (tenant ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    kind          text NOT NULL CHECK (kind IN
                  ('customer', 'vault', 'signer_float', 'gas_expense', 'funding', 'suspense', 'unexplained_payouts')),
    name          text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 200),
    customer_id   hash32,                            -- what a deposit names on chain
    guarded       boolean NOT NULL GENERATED ALWAYS AS (kind = 'customer') STORED,
    created_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant, kind, name),
    UNIQUE (customer_id),
    UNIQUE (id, guarded),
    CHECK ((kind = 'customer') = (customer_id IS NOT NULL))
);

-- A customer's balance is credits less debits. Holds count: available = posted credits - posted debits - pending debits.
CREATE TABLE balances (
    account_id      bigint  NOT NULL,
    asset_id        bigint  NOT NULL REFERENCES assets,
    guarded         boolean NOT NULL,
    debits_pending  total   NOT NULL DEFAULT 0,
    debits_posted   total   NOT NULL DEFAULT 0,
    credits_pending total   NOT NULL DEFAULT 0,
    credits_posted  total   NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, asset_id),
    FOREIGN KEY (account_id, guarded) REFERENCES accounts (id, guarded),
    CONSTRAINT balances_no_overdraft CHECK (NOT guarded OR credits_posted >= debits_posted + debits_pending),
    -- Nobody holds more of a token than its supply, and no supply is above 2^256-1: a token that says so lies.
    CONSTRAINT balances_possible CHECK (abs(debits_posted::numeric - credits_posted::numeric) <= 115792089237316195423570985008687907853269984665640564039457584007913129639935)
) WITH (fillfactor = 50);

-- Two legs in one row: balanced by construction. Append only. A pending transfer is resolved by one later row that
-- names it, of the same accounts, asset and amount.
CREATE TABLE transfers (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    debit_account  bigint NOT NULL REFERENCES accounts,
    credit_account bigint NOT NULL REFERENCES accounts,
    asset_id       bigint NOT NULL REFERENCES assets,
    amount         amount NOT NULL CHECK (amount > 0),
    phase          text   NOT NULL CHECK (phase IN ('pending', 'posted', 'voided')),
    leg            text   NOT NULL CHECK (leg IN
                   ('hold', 'payment', 'release', 'deposit', 'gas', 'float', 'top_up', 'withdrawal', 'foreign', 'unexplained', 'correction')),
    pending_id     bigint UNIQUE,
    pending_phase  text GENERATED ALWAYS AS (CASE WHEN pending_id IS NULL THEN NULL ELSE 'pending' END) STORED,
    reverses_id    bigint UNIQUE REFERENCES transfers,
    settlement_id  bigint,                           -- foreign key below
    effect_id      bigint,                           -- foreign key below
    effect_kind    text GENERATED ALWAYS AS
                   (CASE leg WHEN 'payment' THEN 'settled' WHEN 'deposit' THEN 'deposited' WHEN 'withdrawal' THEN 'withdrawn' END) STORED,
    created_at     timestamptz NOT NULL DEFAULT now(),
    CHECK (debit_account <> credit_account),
    CHECK ((phase = 'voided') <= (pending_id IS NOT NULL)),       -- only a hold can be voided
    CHECK ((phase = 'pending') <= (pending_id IS NULL)),
    CHECK ((leg = 'hold') = (phase = 'pending')),
    CHECK ((leg = 'hold') <= (settlement_id IS NOT NULL)),
    CHECK ((leg = 'release') = (phase = 'voided')),
    CHECK ((leg = 'payment') <= (pending_id IS NOT NULL)),
    CHECK ((pending_id IS NOT NULL) <= (leg IN ('payment', 'release'))),
    CHECK ((pending_id IS NOT NULL) <= (settlement_id IS NOT NULL)), -- or the foreign key below would not look
    CONSTRAINT transfers_post_needs_effect CHECK ((leg IN ('payment', 'deposit', 'withdrawal')) <= (effect_id IS NOT NULL)),
    UNIQUE (id, phase, debit_account, credit_account, asset_id, amount, settlement_id),
    FOREIGN KEY (pending_id, pending_phase, debit_account, credit_account, asset_id, amount, settlement_id)
        REFERENCES transfers (id, phase, debit_account, credit_account, asset_id, amount, settlement_id)
);
CREATE UNIQUE INDEX transfers_one_hold ON transfers (settlement_id) WHERE leg = 'hold';
CREATE UNIQUE INDEX transfers_one_payment ON transfers (settlement_id) WHERE leg = 'payment';
CREATE INDEX transfers_debit ON transfers (debit_account, id);
CREATE INDEX transfers_credit ON transfers (credit_account, id);
CREATE INDEX transfers_settlement ON transfers (settlement_id) WHERE settlement_id IS NOT NULL;
CREATE UNIQUE INDEX transfers_effect ON transfers (effect_id) WHERE effect_id IS NOT NULL AND reverses_id IS NULL;

-- Balances move by transfers alone: one locking statement in (account, asset) order, one update, per inserting statement.
-- +goose StatementBegin
CREATE FUNCTION transfers_move_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO balances (account_id, asset_id, guarded)
        SELECT DISTINCT a.id, t.asset_id, a.guarded
          FROM inserted t JOIN accounts a ON a.id IN (t.debit_account, t.credit_account)
         WHERE NOT EXISTS (SELECT 1 FROM balances b WHERE b.account_id = a.id AND b.asset_id = t.asset_id)
         ORDER BY a.id, t.asset_id
        ON CONFLICT DO NOTHING;
    PERFORM 1 FROM balances b
      WHERE (b.account_id, b.asset_id) IN (SELECT debit_account, asset_id FROM inserted UNION SELECT credit_account, asset_id FROM inserted)
      ORDER BY b.account_id, b.asset_id FOR NO KEY UPDATE;
    UPDATE balances b SET
        debits_pending  = b.debits_pending  + m.debits_pending,
        debits_posted   = b.debits_posted   + m.debits_posted,
        credits_pending = b.credits_pending + m.credits_pending,
        credits_posted  = b.credits_posted  + m.credits_posted
      FROM (SELECT account_id, asset_id,
                   sum(CASE WHEN debit THEN pending ELSE 0 END) AS debits_pending,
                   sum(CASE WHEN debit THEN posted  ELSE 0 END) AS debits_posted,
                   sum(CASE WHEN debit THEN 0 ELSE pending END) AS credits_pending,
                   sum(CASE WHEN debit THEN 0 ELSE posted  END) AS credits_posted
              FROM (SELECT legs.account_id, t.asset_id, legs.debit,
                           CASE WHEN t.phase = 'pending' THEN t.amount WHEN t.pending_id IS NOT NULL THEN -t.amount::numeric ELSE 0 END AS pending,
                           CASE WHEN t.phase = 'posted' THEN t.amount::numeric ELSE 0 END AS posted
                      FROM inserted t
                     CROSS JOIN LATERAL (VALUES (t.debit_account, true), (t.credit_account, false)) AS legs (account_id, debit)) movements
             GROUP BY account_id, asset_id) m
     WHERE b.account_id = m.account_id AND b.asset_id = m.asset_id;
    RETURN NULL;
END $$;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION refuse_direct_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'balances move by transfers alone: % refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN COALESCE(NEW, OLD);
END $$;
-- +goose StatementEnd
CREATE TRIGGER move_balances AFTER INSERT ON transfers REFERENCING NEW TABLE AS inserted
    FOR EACH STATEMENT EXECUTE FUNCTION transfers_move_balances();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER by_transfers_only BEFORE INSERT OR UPDATE OR DELETE ON balances FOR EACH ROW EXECUTE FUNCTION refuse_direct_balance();

-- ---------------------------------------------------------------------------------------------------------- idempotency
CREATE TABLE idempotency_keys (
    tenant              text        NOT NULL CHECK (tenant ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
    key                 text        NOT NULL CHECK (octet_length(key) BETWEEN 1 AND 200 AND key !~ '^@' AND key !~ '[[:cntrl:]]' AND key !~ '^[[:space:]]|[[:space:]]$'),
    operation           text        NOT NULL CHECK (operation IN ('settle')),
    fingerprint         hash32      NOT NULL,
    fingerprint_version smallint    NOT NULL CHECK (fingerprint_version > 0),
    field_digests       jsonb       NOT NULL CHECK (jsonb_typeof(field_digests) = 'object'),
    request_id          text        NOT NULL CHECK (request_id <> ''),
    status              text        NOT NULL CHECK (status IN ('in_progress', 'completed', 'failed')),
    result              jsonb,                       -- the snapshot; dropped at expiry, rebuilt from the settlement
    hits                bigint      NOT NULL DEFAULT 0 CHECK (hits >= 0),
    created_at          timestamptz NOT NULL DEFAULT now(),
    finished_at         timestamptz,
    expires_at          timestamptz,                 -- of the snapshot's body, never of the key
    PRIMARY KEY (tenant, key),
    CHECK ((status = 'in_progress') = (finished_at IS NULL)),
    CHECK ((status = 'in_progress') <= (result IS NULL AND expires_at IS NULL)),
    CHECK ((finished_at IS NULL) = (expires_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX idempotency_keys_expiring ON idempotency_keys (expires_at) WHERE result IS NOT NULL;

-- +goose StatementBegin
CREATE FUNCTION idempotency_keys_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a key is kept for ever' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF (NEW.tenant, NEW.key, NEW.operation, NEW.fingerprint, NEW.fingerprint_version, NEW.field_digests, NEW.request_id)
       IS DISTINCT FROM
       (OLD.tenant, OLD.key, OLD.operation, OLD.fingerprint, OLD.fingerprint_version, OLD.field_digests, OLD.request_id) THEN
        RAISE EXCEPTION 'what key % means never changes', OLD.key USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.status <> OLD.status AND OLD.status <> 'in_progress' AND NOT (OLD.status = 'completed' AND NEW.status = 'failed' AND EXISTS (
           SELECT 1 FROM settlements s JOIN effects e ON e.settlement_id = s.id AND e.kind = 'settled' AND e.reversed_at IS NOT NULL
            WHERE s.tenant = NEW.tenant AND s.key = NEW.key AND s.state = 'failed')) THEN -- a recorded correction
        RAISE EXCEPTION 'key % is % for ever', OLD.key, OLD.status USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard BEFORE UPDATE OR DELETE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION idempotency_keys_guard();

-- ---------------------------------------------------------------------------------------------------------- chain facts
CREATE TABLE leases (
    name       text PRIMARY KEY,
    holder     text        NOT NULL,
    token      bigint      NOT NULL CHECK (token > 0), -- fencing: rises with every change of holder
    expires_at timestamptz NOT NULL
);

CREATE TABLE blocks (
    chain_id   chain_id     NOT NULL REFERENCES chains,
    number     block_number NOT NULL,
    hash       hash32       NOT NULL,
    parent     hash32       NOT NULL,
    mined_at   timestamptz  NOT NULL,
    base_fee   amount       NOT NULL,
    gas_limit  bigint       NOT NULL CHECK (gas_limit > 0),
    canonical  boolean      NOT NULL DEFAULT true,
    final      boolean      NOT NULL DEFAULT false,
    seen       integer      NOT NULL DEFAULT 1 CHECK (seen > 0), -- how often it became canonical: more than once when reorgs go to and fro
    PRIMARY KEY (chain_id, hash),
    UNIQUE (chain_id, hash, final),
    CHECK (final <= canonical)
);
CREATE UNIQUE INDEX blocks_one_canonical ON blocks (chain_id, number) WHERE canonical;

-- The listener's cursor and the readings every settlement shares.
CREATE TABLE heads (
    chain_id     chain_id PRIMARY KEY REFERENCES chains,
    head_number  block_number NOT NULL,
    head_hash    hash32       NOT NULL,
    final_number block_number NOT NULL CHECK (final_number <= head_number),
    final_hash   hash32       NOT NULL,
    base_fee     amount       NOT NULL,              -- of the head, wei per gas
    gas_limit    bigint       NOT NULL,
    tip          amount       NOT NULL,              -- suggested, not below the floor
    vault_paused boolean      NOT NULL DEFAULT false,
    stopped      text         CHECK (stopped <> ''), -- why the listener stopped: a reorg deeper than finality
    updated_at   timestamptz  NOT NULL DEFAULT now()
);

CREATE TABLE lanes (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id       chain_id NOT NULL REFERENCES chains,
    signer         address  NOT NULL,
    custody        text     NOT NULL CHECK (custody IN ('keystore', 'remote')),
    state          text     NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'draining', 'frozen', 'removed')),
    state_reason   text     CHECK (state_reason <> ''),
    first_nonce    bigint   NOT NULL CHECK (first_nonce >= 0),   -- the chain's count when the lane was added
    next_nonce     bigint   NOT NULL CHECK (next_nonce >= first_nonce),
    mined_nonce    bigint   NOT NULL CHECK (mined_nonce >= 0),   -- the chain's count at the last block
    in_flight_max  integer  NOT NULL DEFAULT 16 CHECK (in_flight_max BETWEEN 1 AND 1000),
    balance        amount   NOT NULL,                            -- wei at the last block
    operator       boolean  NOT NULL,                            -- the vault lets it settle, at the last block
    keyless        boolean  NOT NULL DEFAULT false,              -- the listener cannot sign for it: it grants no slots
    cap_ceiling    amount   NOT NULL CHECK (cap_ceiling > 0),    -- wei per gas; cancels and no-ops may use 1.25 x
    float_account  bigint   NOT NULL REFERENCES accounts,
    added_block    block_number NOT NULL,
    created_at     timestamptz  NOT NULL DEFAULT now(),
    UNIQUE (chain_id, signer)
) WITH (fillfactor = 50);

-- ---------------------------------------------------------------------------------------------------------- settlements
CREATE TABLE settlements (
    id               bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, -- the hold, written first, names it
    onchain_id       hash32   NOT NULL UNIQUE,
    tenant           text     NOT NULL,
    key              text     NOT NULL,
    chain_id         chain_id NOT NULL,
    vault            address  NOT NULL,
    asset_id         bigint   NOT NULL,
    token            address  NOT NULL,
    account_id       bigint   NOT NULL REFERENCES accounts,
    destination      address  NOT NULL CHECK (destination <> '\x0000000000000000000000000000000000000000'),
    amount           amount   NOT NULL CHECK (amount > 0),
    retry_of         text,
    state            text     NOT NULL DEFAULT 'requested',
    reason           text     CHECK (reason <> ''),
    wait_rounds      integer  NOT NULL DEFAULT 0 CHECK (wait_rounds >= 0),
    wake_block       block_number,                   -- waiting: the block that wakes it at the latest
    nonces_allocated integer  NOT NULL DEFAULT 0 CHECK (nonces_allocated >= 0),
    wish             text     CHECK (wish IN ('cancel', 'revoke')), -- an operator's: from then on no new paying nonce
    wish_reason      text     CHECK (wish_reason <> ''),
    gas_doublings    smallint NOT NULL DEFAULT 0 CHECK (gas_doublings BETWEEN 0 AND 2),
    hold_id          bigint   UNIQUE REFERENCES transfers,
    effect_id        bigint   UNIQUE,                -- the final Settled event's effect; foreign key below
    effect_kind      text     GENERATED ALWAYS AS (CASE WHEN effect_id IS NOT NULL THEN 'settled' END) STORED,
    tx_hash          hash32,                         -- of the mined payment
    block_number     block_number,
    proof            text     CHECK (proof IN ('insufficient_balance', 'never_allocated', 'nonces_consumed', 'revoked')),
    proof_block      hash32,                         -- the final block at which the vault said: unpaid
    created_at       timestamptz NOT NULL DEFAULT now(),
    changed_at       timestamptz NOT NULL DEFAULT now(),
    swept_at         timestamptz NOT NULL DEFAULT now(),
    UNIQUE (tenant, key),
    UNIQUE (id, onchain_id, vault, token, destination, amount),
    FOREIGN KEY (tenant, key) REFERENCES idempotency_keys (tenant, key),
    FOREIGN KEY (chain_id, vault) REFERENCES vaults (chain_id, vault),
    FOREIGN KEY (asset_id, chain_id, token) REFERENCES assets (id, chain_id, token),
    CONSTRAINT settlements_wish_says_why CHECK ((wish IS NULL) = (wish_reason IS NULL)),
    CHECK ((state = 'waiting') <= (reason IS NOT NULL AND wake_block IS NOT NULL)),
    CHECK ((state IN ('failed', 'cancelled')) <= (reason IS NOT NULL)),
    CONSTRAINT settlements_unpaid_needs_proof CHECK ((state IN ('failed', 'cancelled')) = (proof IS NOT NULL)),
    CONSTRAINT settlements_paid_needs_effect CHECK ((state = 'settled') = (effect_id IS NOT NULL)),
    CHECK ((proof = 'insufficient_balance') IS NOT TRUE OR (hold_id IS NULL AND nonces_allocated = 0)),
    CHECK ((proof = 'never_allocated') IS NOT TRUE OR nonces_allocated = 0),
    CHECK ((proof = 'nonces_consumed') IS NOT TRUE OR (nonces_allocated > 0 AND proof_block IS NOT NULL)),
    CHECK (hold_id IS NOT NULL OR proof IS NOT DISTINCT FROM 'insufficient_balance'),
    CHECK ((state IN ('submitted', 'mined')) <= (nonces_allocated > 0)),
    CHECK ((state IN ('mined', 'settled')) <= (tx_hash IS NOT NULL AND block_number IS NOT NULL)),
    CHECK ((tx_hash IS NULL) = (block_number IS NULL)),
    FOREIGN KEY (chain_id, proof_block) REFERENCES blocks (chain_id, hash)
) WITH (fillfactor = 70);
CREATE INDEX settlements_open ON settlements (id) WHERE state NOT IN ('settled', 'failed', 'cancelled');
CREATE INDEX settlements_waiting ON settlements (wake_block) WHERE state = 'waiting';
CREATE INDEX settlements_account ON settlements (account_id, id);
-- What failed is tried again by one key at a time: two would pay the same obligation twice.
CREATE UNIQUE INDEX settlements_one_retry ON settlements (tenant, retry_of) WHERE retry_of IS NOT NULL AND state NOT IN ('failed', 'cancelled');
ALTER TABLE transfers ADD FOREIGN KEY (settlement_id) REFERENCES settlements DEFERRABLE INITIALLY DEFERRED;

-- The legal moves of a settlement's state; settlement.Moves in the code says the same.
CREATE TABLE settlement_moves (from_state text, to_state text, PRIMARY KEY (from_state, to_state));
INSERT INTO settlement_moves VALUES
    ('requested', 'queued'), ('requested', 'waiting'), ('requested', 'submitted'), ('requested', 'settled'), ('requested', 'failed'), ('requested', 'cancelled'),
    ('queued', 'requested'), ('queued', 'waiting'), ('queued', 'submitted'), ('queued', 'settled'), ('queued', 'failed'), ('queued', 'cancelled'),
    ('waiting', 'requested'), ('waiting', 'queued'), ('waiting', 'submitted'), ('waiting', 'settled'), ('waiting', 'failed'), ('waiting', 'cancelled'),
    ('submitted', 'requested'), ('submitted', 'mined'), ('submitted', 'settled'), ('submitted', 'failed'), ('submitted', 'cancelled'),
    ('mined', 'requested'), ('mined', 'submitted'), ('mined', 'settled'), ('mined', 'failed'), ('mined', 'cancelled');

-- +goose StatementBegin
CREATE FUNCTION settlements_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a settlement is kept for ever' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'INSERT' THEN
        IF NEW.state NOT IN ('requested', 'failed') THEN
            RAISE EXCEPTION 'a settlement begins requested or failed, not %', NEW.state USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
    END IF;
    IF (NEW.onchain_id, NEW.tenant, NEW.key, NEW.chain_id, NEW.vault, NEW.asset_id, NEW.token, NEW.account_id, NEW.destination, NEW.amount, NEW.hold_id)
       IS DISTINCT FROM
       (OLD.onchain_id, OLD.tenant, OLD.key, OLD.chain_id, OLD.vault, OLD.asset_id, OLD.token, OLD.account_id, OLD.destination, OLD.amount, OLD.hold_id) THEN
        RAISE EXCEPTION 'what settlement % means never changes', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.nonces_allocated < OLD.nonces_allocated OR OLD.wish IS NOT NULL AND NEW.wish IS NULL OR OLD.wish = 'revoke' AND NEW.wish = 'cancel' THEN
        RAISE EXCEPTION 'settlement %: allocated nonces and a wish to end it are never taken back', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.state <> OLD.state THEN
        -- What was paid stays paid, but for one correction: its payment left the chain for good, by proof.
        IF NOT EXISTS (SELECT 1 FROM settlement_moves m WHERE m.from_state = OLD.state AND m.to_state = NEW.state)
           AND NOT (OLD.state = 'settled' AND NEW.state = 'failed' AND NEW.proof = 'nonces_consumed' AND EXISTS (
               SELECT 1 FROM effects e WHERE e.id = OLD.effect_id AND e.reversed_at IS NOT NULL)) THEN
            RAISE EXCEPTION 'settlement % cannot move from % to %', OLD.id, OLD.state, NEW.state USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        NEW.changed_at := clock_timestamp();
        IF NEW.proof = 'nonces_consumed' AND (
               EXISTS (SELECT 1 FROM transaction_items i JOIN transactions t ON t.id = i.transaction_id
                        WHERE i.settlement_id = NEW.id AND (t.live OR t.outcome = 'paid'))
               OR NOT EXISTS (SELECT 1 FROM blocks b WHERE b.chain_id = NEW.chain_id AND b.hash = NEW.proof_block AND b.final)) THEN
            RAISE EXCEPTION 'settlement %: a nonce is live or paid, or the proof is not final', OLD.id USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        IF NEW.proof = 'revoked' AND NOT EXISTS (SELECT 1 FROM effects e
               WHERE e.settlement_id = NEW.id AND e.kind = 'revoked' AND e.event_key = NEW.onchain_id AND e.vault = NEW.vault AND e.reversed_at IS NULL) THEN
            RAISE EXCEPTION 'settlement %: no final event revoked it', OLD.id USING ERRCODE = 'integrity_constraint_violation';
        END IF;
    END IF;
    RETURN NEW;
END $$;

-- The hold may be written by the same statement, so this looks when the statement is over.
CREATE FUNCTION settlements_hold_fits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.hold_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM transfers t
           WHERE t.id = NEW.hold_id AND t.leg = 'hold' AND t.settlement_id = NEW.id
             AND t.debit_account = NEW.account_id AND t.asset_id = NEW.asset_id AND t.amount = NEW.amount) THEN
        RAISE EXCEPTION 'settlement % does not fit its hold %', NEW.id, NEW.hold_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard BEFORE INSERT OR UPDATE OR DELETE ON settlements FOR EACH ROW EXECUTE FUNCTION settlements_guard();
CREATE TRIGGER hold_fits AFTER INSERT ON settlements FOR EACH ROW EXECUTE FUNCTION settlements_hold_fits();

-- Who waits for a slot, oldest first. A grant is stored here and counts as in flight.
CREATE TABLE queue (
    settlement_id bigint PRIMARY KEY REFERENCES settlements,
    position      bigint GENERATED ALWAYS AS IDENTITY,
    asset_id      bigint      NOT NULL REFERENCES assets,
    lane_id       bigint      REFERENCES lanes,      -- NULL: not granted
    granted_block block_number,
    enqueued_at   timestamptz NOT NULL DEFAULT now(),
    CHECK ((lane_id IS NULL) = (granted_block IS NULL))
);
CREATE INDEX queue_ungranted ON queue (position) WHERE lane_id IS NULL;
CREATE INDEX queue_granted ON queue (lane_id) WHERE lane_id IS NOT NULL;

-- ---------------------------------------------------------------------------------------------------------- sending
CREATE TABLE transactions (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id       chain_id NOT NULL,
    lane_id        bigint   NOT NULL REFERENCES lanes,
    signer         address  NOT NULL,
    nonce          bigint   NOT NULL CHECK (nonce >= 0),
    kind           text     NOT NULL CHECK (kind IN ('pay', 'revoke', 'noop')),
    pays           boolean  NOT NULL,
    live           boolean  NOT NULL DEFAULT true,
    bump_asked_for hash32,                           -- the attempt that the lane keeper wants replaced
    bump_asked_block block_number,
    unrunnable     text     CHECK (unrunnable <> ''),-- the node's reason why this payload can never run
    mined_hash     hash32,                           -- of the transaction that holds the nonce in the canonical chain
    mined_block    block_number,
    consumed_hash  hash32,                           -- of the transaction that took the nonce in a final block
    consumed_block hash32,
    consumed_final boolean  GENERATED ALWAYS AS (CASE WHEN consumed_block IS NULL THEN NULL ELSE true END) STORED,
    outcome        text     CHECK (outcome IN ('paid', 'reverted', 'cancelled', 'noop', 'revoked', 'foreign')),
    created_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (chain_id, signer, nonce),
    UNIQUE (id, live, pays),
    FOREIGN KEY (chain_id, signer) REFERENCES lanes (chain_id, signer),
    FOREIGN KEY (chain_id, consumed_block, consumed_final) REFERENCES blocks (chain_id, hash, final),
    CHECK (pays = (kind = 'pay')),
    CHECK (live = (consumed_hash IS NULL)),
    CHECK ((consumed_hash IS NULL) = (consumed_block IS NULL)),
    CHECK ((consumed_hash IS NULL) = (outcome IS NULL)),
    CHECK ((mined_hash IS NULL) = (mined_block IS NULL)),
    CHECK ((bump_asked_for IS NULL) = (bump_asked_block IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX transactions_live ON transactions (lane_id, nonce) WHERE live;
CREATE INDEX transactions_consumed ON transactions (chain_id, consumed_block) WHERE consumed_block IS NOT NULL; -- asked when a block becomes final

-- The seam for batches: which settlements a transaction pays. live and pays follow the transaction.
CREATE TABLE transaction_items (
    transaction_id bigint  NOT NULL,
    position       integer NOT NULL CHECK (position >= 0),
    settlement_id  bigint  NOT NULL REFERENCES settlements,
    live           boolean NOT NULL DEFAULT true,
    pays           boolean NOT NULL,
    revived        boolean NOT NULL DEFAULT false,   -- it was consumed for good, and a deep reorg that an operator accepted undid that
    PRIMARY KEY (transaction_id, position),
    UNIQUE (transaction_id, settlement_id),
    FOREIGN KEY (transaction_id, live, pays) REFERENCES transactions (id, live, pays) ON UPDATE CASCADE
);
CREATE UNIQUE INDEX transaction_items_one_live_payment ON transaction_items (settlement_id) WHERE live AND pays AND NOT revived;
CREATE UNIQUE INDEX transaction_items_one_live_revoke ON transaction_items (settlement_id) WHERE live AND NOT pays AND NOT revived;
CREATE INDEX transaction_items_settlement ON transaction_items (settlement_id);

-- +goose StatementBegin
CREATE FUNCTION transactions_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'a transaction is kept for ever' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF (NEW.chain_id, NEW.lane_id, NEW.signer, NEW.nonce, NEW.kind, NEW.pays) IS DISTINCT FROM (OLD.chain_id, OLD.lane_id, OLD.signer, OLD.nonce, OLD.kind, OLD.pays) THEN
        RAISE EXCEPTION 'what nonce % of transaction % is for never changes', OLD.nonce, OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION transaction_items_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'which settlements a transaction pays is kept for ever' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.pays AND EXISTS (SELECT 1 FROM settlements s WHERE s.id = NEW.settlement_id AND (s.wish IS NOT NULL OR s.state IN ('settled', 'failed', 'cancelled'))) THEN
        RAISE EXCEPTION 'settlement % gets no paying nonce any more', NEW.settlement_id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;

-- Whoever allocates a paying nonce spends of the asset's budget, in the same commit and under the lock of its liquidity.
CREATE FUNCTION transaction_items_spend() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    asset bigint;
    budget numeric;
    paid numeric;
    spent numeric;
    oldest timestamptz := clock_timestamp() - interval '61 minutes';
BEGIN
    SELECT s.asset_id, a.hourly_budget, s.amount INTO asset, budget, paid
      FROM settlements s JOIN assets a ON a.id = s.asset_id WHERE s.id = NEW.settlement_id;
    IF budget IS NULL THEN
        RETURN NULL;
    END IF;
    PERFORM FROM asset_liquidity WHERE asset_id = asset FOR NO KEY UPDATE;
    DELETE FROM asset_spending WHERE asset_id = asset AND minute <= oldest - interval '1 hour'; -- each block forgets the others, and wakes who waited
    INSERT INTO asset_spending AS s (asset_id, minute, amount) VALUES (asset, date_trunc('minute', clock_timestamp(), 'UTC'), paid)
        ON CONFLICT (asset_id, minute) DO UPDATE SET amount = s.amount + EXCLUDED.amount;
    SELECT sum(amount) INTO spent FROM asset_spending WHERE asset_id = asset AND minute > oldest;
    IF spent > budget THEN
        RAISE EXCEPTION 'asset %: % in an hour are above its budget of %', asset, spent, budget USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION lanes_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.chain_id, NEW.signer, NEW.first_nonce) IS DISTINCT FROM (OLD.chain_id, OLD.signer, OLD.first_nonce) OR NEW.next_nonce < OLD.next_nonce THEN
        RAISE EXCEPTION 'lane % keeps its signer, and a nonce is never taken back', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.state = 'removed' AND OLD.state <> 'removed' AND EXISTS (SELECT 1 FROM transactions t WHERE t.lane_id = NEW.id AND t.live) THEN
        RAISE EXCEPTION 'lane % has nonces that no final block has consumed', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard_update BEFORE UPDATE OF chain_id, lane_id, signer, nonce, kind, pays ON transactions FOR EACH ROW EXECUTE FUNCTION transactions_guard();
CREATE TRIGGER guard_delete BEFORE DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION transactions_guard();
CREATE TRIGGER guard BEFORE INSERT OR DELETE ON transaction_items FOR EACH ROW EXECUTE FUNCTION transaction_items_guard();
CREATE TRIGGER spend AFTER INSERT ON transaction_items FOR EACH ROW WHEN (NEW.pays) EXECUTE FUNCTION transaction_items_spend();
CREATE TRIGGER guard BEFORE UPDATE OF chain_id, signer, first_nonce, next_nonce, state ON lanes FOR EACH ROW EXECUTE FUNCTION lanes_guard();

-- A remote signer's attempt is first stored without bytes; hash and raw come together, later.
CREATE TABLE attempts (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id bigint  NOT NULL REFERENCES transactions,
    replaces       bigint,
    kind           text    NOT NULL CHECK (kind IN ('pay', 'revoke', 'cancel', 'noop', 'adopted')),
    to_address     address NOT NULL,
    value          amount  NOT NULL,
    data           bytea   NOT NULL,
    gas_limit      bigint  NOT NULL CHECK (gas_limit >= 21000),
    fee_cap        amount  NOT NULL,
    fee_tip        amount  NOT NULL,
    signing_hash   hash32  NOT NULL,
    hash           hash32  UNIQUE,
    raw            bytea,
    refusal_class  text,                             -- of the last send that a node did not accept
    refusal_text   text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    UNIQUE (id, transaction_id),
    UNIQUE NULLS NOT DISTINCT (transaction_id, replaces),
    FOREIGN KEY (replaces, transaction_id) REFERENCES attempts (id, transaction_id),
    CHECK (fee_tip <= fee_cap),
    CHECK ((hash IS NULL) = (raw IS NULL)),
    CHECK ((kind = 'adopted') OR octet_length(raw) > 0 OR raw IS NULL),
    CHECK (replaces <> id)
);
CREATE INDEX attempts_replacing ON attempts (replaces) WHERE replaces IS NOT NULL; -- counts bumps
CREATE INDEX attempts_unsigned ON attempts (transaction_id) WHERE hash IS NULL; -- what remote signers owe

-- +goose StatementBegin
CREATE FUNCTION attempts_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        RAISE EXCEPTION 'an attempt is kept for ever' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF (NEW.transaction_id, NEW.replaces, NEW.kind, NEW.to_address, NEW.value, NEW.data, NEW.gas_limit, NEW.fee_cap, NEW.fee_tip, NEW.signing_hash)
       IS DISTINCT FROM
       (OLD.transaction_id, OLD.replaces, OLD.kind, OLD.to_address, OLD.value, OLD.data, OLD.gas_limit, OLD.fee_cap, OLD.fee_tip, OLD.signing_hash)
       OR OLD.hash IS NOT NULL AND (NEW.hash, NEW.raw) IS DISTINCT FROM (OLD.hash, OLD.raw) THEN
        RAISE EXCEPTION 'the bytes of attempt % never change', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard BEFORE UPDATE OR DELETE ON attempts FOR EACH ROW EXECUTE FUNCTION attempts_guard();

-- ---------------------------------------------------------------------------------------------------------- observations
-- Every transaction of one of our signers, in every block that we saw it in.
CREATE TABLE mined_transactions (
    chain_id    chain_id NOT NULL,
    block_hash  hash32   NOT NULL,
    tx_hash     hash32   NOT NULL,
    tx_index    integer  NOT NULL,
    signer      address  NOT NULL,
    nonce       bigint   NOT NULL,
    to_address  address,
    value       amount   NOT NULL,
    ok          boolean  NOT NULL,
    gas_used    bigint   NOT NULL CHECK (gas_used >= 0),
    gas_limit   bigint   NOT NULL,
    gas_price   amount   NOT NULL,
    attempt_id  bigint   REFERENCES attempts,        -- NULL: not ours (foreign use of the key)
    gas_transfer bigint  REFERENCES transfers,       -- booked once final
    PRIMARY KEY (chain_id, block_hash, tx_hash),
    FOREIGN KEY (chain_id, block_hash) REFERENCES blocks (chain_id, hash)
);
CREATE INDEX mined_transactions_nonce ON mined_transactions (chain_id, signer, nonce);
CREATE INDEX mined_transactions_hash ON mined_transactions (tx_hash);
CREATE INDEX mined_transactions_foreign ON mined_transactions (chain_id, signer) WHERE attempt_id IS NULL; -- few

-- Coins that a transaction brought to one of our signers from outside, in every block that we saw it in.
CREATE TABLE incoming (
    chain_id   chain_id NOT NULL,
    block_hash hash32   NOT NULL,
    tx_hash    hash32   NOT NULL,
    signer     address  NOT NULL,
    amount     amount   NOT NULL,
    PRIMARY KEY (chain_id, block_hash, tx_hash),
    CONSTRAINT incoming_in_a_block FOREIGN KEY (chain_id, block_hash) REFERENCES blocks (chain_id, hash)
);

-- What topped up a signer's float, booked once and in a final block: one that we sent (its bytes are stored before that), one that
-- the listener saw, or one that an operator adopted, since a contract's transfers show in no transaction's destination.
CREATE TABLE topups (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id    chain_id NOT NULL,
    signer      address  NOT NULL,
    tx_hash     hash32   NOT NULL,
    amount      amount   NOT NULL,
    source      text     NOT NULL,
    actor       text     NOT NULL DEFAULT 'listener',
    raw         bytea,
    block_hash  hash32,
    block_final boolean  GENERATED ALWAYS AS (CASE WHEN block_hash IS NULL OR reversed_at IS NOT NULL THEN NULL ELSE true END) STORED,
    transfer_id bigint   REFERENCES transfers,
    reversed_at timestamptz,                         -- its block left the chain after it was final, and an operator accepted that
    created_at  timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT topups_of_something CHECK (amount > 0),
    CONSTRAINT topups_source_known CHECK (source IN ('sent', 'seen', 'adopted')),
    CONSTRAINT topups_reversed_if_booked CHECK (reversed_at IS NULL OR transfer_id IS NOT NULL),
    CONSTRAINT topups_own_transfer UNIQUE (transfer_id),
    CONSTRAINT topups_of_a_lane FOREIGN KEY (chain_id, signer) REFERENCES lanes (chain_id, signer),
    CONSTRAINT topups_final FOREIGN KEY (chain_id, block_hash, block_final) REFERENCES blocks (chain_id, hash, final),
    CONSTRAINT topups_booked_in_a_block CHECK ((transfer_id IS NULL) = (block_hash IS NULL)),
    CONSTRAINT topups_expected_only_if_sent CHECK (source = 'sent' OR transfer_id IS NOT NULL),
    CONSTRAINT topups_bytes_of_the_sent CHECK ((source = 'sent') = (raw IS NOT NULL))
);
CREATE UNIQUE INDEX topups_once ON topups (chain_id, tx_hash, signer) WHERE reversed_at IS NULL;

-- +goose StatementBegin
CREATE FUNCTION topups_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.reversed_at IS NOT NULL
       OR OLD.transfer_id IS NOT NULL AND (NEW.transfer_id, NEW.block_hash) IS DISTINCT FROM (OLD.transfer_id, OLD.block_hash)
       OR to_jsonb(NEW) - '{block_hash,block_final,transfer_id,reversed_at}'::text[] <> to_jsonb(OLD) - '{block_hash,block_final,transfer_id,reversed_at}'::text[] THEN
        RAISE EXCEPTION 'top-up % is kept as it is: it can only be booked, once, and reversed, once', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard BEFORE UPDATE OR DELETE ON topups FOR EACH ROW EXECUTE FUNCTION topups_guard();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON topups FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE events (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id     chain_id NOT NULL,
    block_hash   hash32   NOT NULL,
    tx_hash      hash32   NOT NULL,
    log_index    integer  NOT NULL,                  -- within the block: changes when a reorg moves the transaction
    tx_log_index integer  NOT NULL,                  -- within the transaction: does not
    vault        address  NOT NULL,
    name         text     NOT NULL CHECK (name IN ('Settled', 'Deposited', 'Revoked', 'Withdrawn', 'other', 'unknown')),
    event_key    hash32,                             -- settlement id or customer id
    token        address,
    party        address,
    amount       amount,
    topics       bytea[]  NOT NULL,
    data         bytea    NOT NULL,
    problem      text     CHECK (problem <> ''),     -- why it could not be decoded
    UNIQUE (chain_id, block_hash, tx_hash, log_index),
    UNIQUE (chain_id, block_hash, tx_hash, tx_log_index),
    FOREIGN KEY (chain_id, block_hash) REFERENCES blocks (chain_id, hash)
);
CREATE INDEX events_tx ON events (chain_id, tx_hash, tx_log_index);
CREATE INDEX events_key ON events (event_key) WHERE event_key IS NOT NULL;

-- What a final event did to the books, once. The composite foreign key is I7: vault, id, token, recipient and amount of
-- the event all equal the settlement's.
CREATE TABLE effects (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id      chain_id NOT NULL,
    tx_hash       hash32   NOT NULL,
    tx_log_index  integer  NOT NULL,
    event_id      bigint   NOT NULL REFERENCES events,
    block_hash    hash32   NOT NULL,
    block_final   boolean  GENERATED ALWAYS AS (CASE WHEN reversed_at IS NULL THEN true END) STORED,
    kind          text     NOT NULL CHECK (kind IN ('settled', 'deposited', 'revoked', 'withdrawn', 'unexplained')),
    vault         address  NOT NULL,
    event_key     hash32,
    token         address,
    party         address,
    amount        amount,
    settlement_id bigint,
    account_id    bigint   REFERENCES accounts,
    created_at    timestamptz NOT NULL DEFAULT now(),
    reversed_at   timestamptz,                       -- its block left the chain after it was final, and an operator accepted that
    reversed_short amount,                           -- of a deposit: what the customer no longer had, and suspense paid
    CONSTRAINT effects_short_when_reversed CHECK (reversed_short IS NULL OR (reversed_at IS NOT NULL AND kind = 'deposited')),
    FOREIGN KEY (chain_id, block_hash, block_final) REFERENCES blocks (chain_id, hash, final),
    FOREIGN KEY (settlement_id) REFERENCES settlements,
    CONSTRAINT effects_equal_settlement FOREIGN KEY (settlement_id, event_key, vault, token, party, amount)
        REFERENCES settlements (id, onchain_id, vault, token, destination, amount),
    CHECK ((kind = 'settled') <= (settlement_id IS NOT NULL AND event_key IS NOT NULL AND token IS NOT NULL AND party IS NOT NULL AND amount IS NOT NULL)),
    CHECK ((kind = 'revoked') <= (settlement_id IS NOT NULL AND token IS NULL)),
    CHECK ((kind = 'deposited') <= (account_id IS NOT NULL AND amount IS NOT NULL)),
    UNIQUE (id, settlement_id, kind),
    UNIQUE (id, kind, amount)
);
CREATE INDEX effects_event ON effects (event_id);
CREATE INDEX effects_block ON effects (chain_id, block_hash); -- asked when a block becomes final
CREATE UNIQUE INDEX effects_once ON effects (chain_id, tx_hash, tx_log_index) WHERE reversed_at IS NULL;
CREATE UNIQUE INDEX effects_one_payment ON effects (settlement_id) WHERE kind = 'settled' AND reversed_at IS NULL;
ALTER TABLE settlements ADD CONSTRAINT settlements_own_payment FOREIGN KEY (effect_id, id, effect_kind) REFERENCES effects (id, settlement_id, kind);
ALTER TABLE transfers ADD FOREIGN KEY (effect_id) REFERENCES effects;
-- A payment posts with its own settlement's Settled event, a deposit with a Deposited one, and each with the event's amount.
ALTER TABLE transfers ADD CONSTRAINT transfers_own_effect FOREIGN KEY (effect_id, settlement_id, effect_kind) REFERENCES effects (id, settlement_id, kind);
ALTER TABLE transfers ADD CONSTRAINT transfers_effect_amount FOREIGN KEY (effect_id, effect_kind, amount) REFERENCES effects (id, kind, amount);

-- +goose StatementBegin
CREATE FUNCTION effects_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' OR OLD.reversed_at IS NOT NULL
       OR to_jsonb(NEW) - '{reversed_at,reversed_short,block_final}'::text[] <> to_jsonb(OLD) - '{reversed_at,reversed_short,block_final}'::text[] THEN
        RAISE EXCEPTION 'effect % is kept as it is: it can only be reversed, once', OLD.id USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER guard BEFORE UPDATE OR DELETE ON effects FOR EACH ROW EXECUTE FUNCTION effects_guard();
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON events FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- Logs that take no effect: kept raw, counted, alarmed. Nothing in a chain's content may stop the cursor.
CREATE TABLE quarantine (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    chain_id     chain_id NOT NULL,
    tx_hash      hash32   NOT NULL,
    tx_log_index integer  NOT NULL,
    event_id     bigint   NOT NULL REFERENCES events,
    reason       text     NOT NULL CHECK (reason <> ''),
    created_at   timestamptz NOT NULL DEFAULT now(),
    released_at  timestamptz
);
CREATE INDEX quarantine_event ON quarantine (event_id);
CREATE UNIQUE INDEX quarantine_once ON quarantine (chain_id, tx_hash, tx_log_index) WHERE released_at IS NULL;

-- ---------------------------------------------------------------------------------------------------------- outbox, inbox
CREATE TABLE outbox_counters (
    stream      text   NOT NULL,
    destination text   NOT NULL REFERENCES destinations,
    last_seq    bigint NOT NULL CHECK (last_seq > 0),
    parked_at   timestamptz,
    parked_reason text,
    PRIMARY KEY (stream, destination),
    CHECK ((parked_at IS NULL) = (parked_reason IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX outbox_counters_parked ON outbox_counters (destination) WHERE parked_at IS NOT NULL;

CREATE TABLE outbox (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id        hash32 NOT NULL,
    tenant          text   NOT NULL,
    stream          text   NOT NULL CHECK (stream <> ''),
    destination     text   NOT NULL,
    seq             bigint NOT NULL CHECK (seq > 0), -- gap-free per (stream, destination)
    epoch           integer NOT NULL CHECK (epoch > 0),
    type            text   NOT NULL CHECK (type <> ''),
    payload         jsonb  NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    published_at    timestamptz,
    skipped_at      timestamptz,
    retry_count     integer NOT NULL DEFAULT 0 CHECK (retry_count >= 0),
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    last_error      text,
    lease_token     uuid,
    leased_until    timestamptz,
    UNIQUE (event_id, destination),
    UNIQUE (stream, destination, seq),
    FOREIGN KEY (stream, destination) REFERENCES outbox_counters (stream, destination),
    CHECK ((lease_token IS NULL) = (leased_until IS NULL)),
    CHECK (published_at IS NULL OR skipped_at IS NULL),
    CHECK ((destination = 'temporal') = (stream LIKE 'wake/%')) -- wake-ups never share a stream with the outside world
) WITH (fillfactor = 45, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.2);
-- A queue's dead entries lie where every claim begins to look: vacuum early. Columns that change on a claim (retry_count,
-- next_attempt_at, lease) are in no index: those updates stay HOT.
CREATE INDEX outbox_pending ON outbox (destination, stream, seq) WHERE published_at IS NULL AND skipped_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;

-- Attempts per destination, for ever: published rows are deleted after a time. Sharded, so that no row is hot.
CREATE TABLE outbox_counts (
    destination text     NOT NULL REFERENCES destinations,
    outcome     text     NOT NULL CHECK (outcome IN ('published', 'retried')),
    shard       smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
    n           bigint   NOT NULL CHECK (n >= 0),
    PRIMARY KEY (destination, outcome, shard)
) WITH (fillfactor = 50);

-- For consumers: process and mark in one transaction.
CREATE TABLE inbox (
    consumer     text        NOT NULL,
    event_id     text        NOT NULL,
    payload_hash hash32      NOT NULL,
    seen         integer     NOT NULL DEFAULT 1 CHECK (seen > 0),
    processed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
);

-- What an operator did, and what a process found: never deleted.
CREATE TABLE journal (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor      text  NOT NULL,
    action     text  NOT NULL,
    subject    text  NOT NULL,
    details    jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX journal_subject ON journal (subject, id);
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON journal FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- TRUNCATE passes by every row trigger.
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON transfers FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON balances FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON idempotency_keys FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON settlements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON transactions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON attempts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON effects FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER no_truncate BEFORE TRUNCATE ON journal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Counters of the duplicate hit rate that survive restarts: one row per outcome and process start, so that no row is hot.
CREATE TABLE request_counts (
    day     date   NOT NULL DEFAULT current_date,
    outcome text   NOT NULL CHECK (outcome IN ('new', 'replay', 'in_progress', 'conflict', 'invalid')),
    shard   smallint NOT NULL CHECK (shard BETWEEN 0 AND 15),
    n       bigint NOT NULL CHECK (n >= 0),
    PRIMARY KEY (day, outcome, shard)
) WITH (fillfactor = 50);

-- +goose Down
-- A ledger is never migrated down: restore a backup instead.
SELECT 1 / 0;
