/* The limit: random play of moscow/2 in plain C, to say how near to it the engine comes.
 *
 * Usage: limit DEALS SEED. Prints one JSON object.
 * It does what the batch of the engine does for these rules and this table, and nothing else: shuffle as far as cards
 * are dealt (R8, R9), bid (R16), exchange the seven (R20), declare (R26, R28, R29), say bella (R33-R35), play nine
 * tricks (R37-R42), score made, bait and hang (R43-R47). Every legal action is equally likely.
 * It leaves out: asking (R22), closing (R55), other tables and options, the waiting points of other deals, totals,
 * and any state that could be shown, copied or stepped by somebody else. */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef uint32_t mask;
enum { SEATS = 2, SUIT = 0xFF, KING = 6, QUEEN = 5, SEVEN = 0 };

static const int PLAIN_POINTS[8] = {0, 0, 0, 10, 2, 3, 4, 11};
static const int TRUMP_POINTS[8] = {0, 0, 14, 10, 20, 3, 4, 11};
static const int PLAIN_ORDER[8] = {0, 1, 2, 6, 3, 4, 5, 7};
static const int TRUMP_ORDER[8] = {0, 1, 6, 4, 7, 2, 3, 5};
static const int RUN_WORTH[9] = {0, 0, 0, 20, 50, 50, 50, 70, 100};
static mask beaten_by[4][32];
static int points_of[4][32];

typedef struct { uint32_t a, b, c, counter; } chance;

static inline uint32_t word(chance *r) {
    uint32_t out = r->a + r->b + r->counter++;
    r->a = r->b ^ (r->b >> 9);
    r->b = r->c + (r->c << 3);
    r->c = ((r->c << 21) | (r->c >> 11)) + out;
    return out;
}

static inline int below(chance *r, int n) { return (int)(((uint64_t)word(r) * (uint64_t)n) >> 32); }

static chance chance_of(uint32_t seed, uint32_t number) {
    chance r = {seed, number, 0x9E3779B9u, 1};
    for (int i = 0; i < 12; i++) word(&r);
    return r;
}

static inline int nth(mask m, int k) {
    while (k--) m &= m - 1;
    return __builtin_ctz(m);
}

static void prepare(void) {
    for (int trump = 0; trump < 4; trump++)
        for (int best = 0; best < 32; best++) {
            int led = best >> 3;
            const int *order = led == trump ? TRUMP_ORDER : PLAIN_ORDER;
            points_of[trump][best] = (led == trump ? TRUMP_POINTS : PLAIN_POINTS)[best & 7];
            for (int card = 0; card < 32; card++) {
                int beats = card >> 3 == led ? order[card & 7] > order[best & 7] : card >> 3 == trump;
                if (beats) beaten_by[trump][best] |= 1u << card;
            }
        }
}

/* What a hand's sequences are worth, and how good the best of them is: kind, top, trump. */
static int sequences(mask hand, int trump, int *best) {
    int worth = 0;
    *best = 0;
    mask runs = hand & hand >> 1 & hand >> 2 & 0x3F3F3F3Fu;
    if (!runs) return 0;
    for (int suit = 0; suit < 4; suit++) {
        mask rest = hand >> (8 * suit) & SUIT;
        while (rest & rest >> 1 & rest >> 2) {
            mask starts = rest & rest >> 1 & rest >> 2;
            int low = __builtin_ctz(starts);
            int length = __builtin_ctz(~(rest >> low));
            int rank = (length > 3) << 8 | (low + length) << 2 | (suit == trump) << 1;
            worth += RUN_WORTH[length];
            if (rank > *best) *best = rank;
            rest &= ~(((1u << length) - 1) << low);
        }
    }
    return worth;
}

typedef struct { int64_t decisions, thrown_in, made, bait, hang, written; } counts;

typedef struct {
    mask hand[SEATS], came[SEATS];
    int trump, maker, upcard, declared[SEATS], bella[SEATS], said[SEATS];
} deal;

/* What a seat says before its card: the exchange, the declaration; how many decisions it takes. */
static int rights(deal *d, chance *r, int seat, int cards) {
    int decisions = 0, best;
    mask seven = 1u << (d->trump << 3);
    int may_exchange = d->upcard >> 3 == d->trump && (d->hand[seat] & seven) != 0;
    int may_declare = sequences(d->hand[seat], d->trump, &best) > 0;
    while (may_exchange + may_declare > 0) {
        int choice = below(r, cards + may_exchange + may_declare);
        if (choice >= may_exchange + may_declare) break;
        decisions++;
        if (may_exchange && choice == 0) {
            d->hand[seat] = (d->hand[seat] & ~seven) | 1u << d->upcard;
            may_exchange = 0;
            may_declare = sequences(d->hand[seat], d->trump, &best) > 0;
        } else {
            d->declared[seat] = 1;
            may_exchange = may_declare = 0;
        }
    }
    d->came[seat] = d->hand[seat];
    mask pair = (1u << KING | 1u << QUEEN) << (d->trump << 3);
    d->bella[seat] = (d->hand[seat] & pair) == pair;
    return decisions;
}

/* One card of the legal ones, with bella or without. */
static int card_of(deal *d, chance *r, int seat, mask legal) {
    int n = __builtin_popcount(legal);
    mask pair = (1u << KING | 1u << QUEEN) << (d->trump << 3);
    if (d->bella[seat] && !d->said[seat] && d->hand[seat] & pair) {
        int choice = below(r, 2 * n);
        d->said[seat] = choice & 1;
        return nth(legal, choice >> 1);
    }
    return nth(legal, below(r, n));
}

static mask legal_of(mask hand, int led, int trump) {
    mask same = hand & (mask)SUIT << (led & 24);
    mask trumps = hand & (mask)SUIT << (trump << 3);
    if (!same) return trumps ? trumps : hand;
    mask above = led >> 3 == trump ? same & beaten_by[trump][led] : 0;
    return above ? above : same;
}

static int bid(deal *d, chance *r, int eldest) {
    int decisions = 0, up = d->upcard >> 3;
    for (int turn = 0; turn < 2 * SEATS; turn++) {
        decisions++;
        int choice = below(r, turn < SEATS ? 2 : 4);
        if (choice == 0) continue;
        d->maker = eldest ^ (turn & 1);
        d->trump = turn < SEATS ? up : (up + choice) & 3;
        break;
    }
    return decisions;
}

static void score(deal *d, const int *taken, int first, counts *seen) {
    int own[SEATS] = {taken[0], taken[1]}, best[SEATS] = {0, 0}, worth[SEATS] = {0, 0};
    for (int seat = 0; seat < SEATS; seat++) {
        if (d->declared[seat]) worth[seat] = sequences(d->came[seat], d->trump, &best[seat]);
        own[seat] += 20 * d->said[seat];
    }
    if (best[0] | best[1]) {
        int side = best[0] == best[1] ? first : best[1] > best[0];
        own[side] += worth[side];
    }
    int maker = own[d->maker], other = own[1 - d->maker];
    seen->made += maker > other;
    seen->hang += maker == other;
    seen->bait += maker < other;
    seen->written += maker == other ? other : maker + other;
}

static void play(deal *d, chance *r, int eldest, counts *seen) {
    int leader = eldest, taken[SEATS] = {0, 0};
    for (int trick = 0; trick < 9; trick++) {
        int other = 1 - leader;
        if (trick == 0) seen->decisions += rights(d, r, leader, 9);
        int led = card_of(d, r, leader, d->hand[leader]);
        d->hand[leader] &= ~(1u << led);
        mask legal = legal_of(d->hand[other], led, d->trump);
        if (trick == 0) {
            seen->decisions += rights(d, r, other, __builtin_popcount(legal));
            legal = legal_of(d->hand[other], led, d->trump);
        }
        int answer = card_of(d, r, other, legal);
        d->hand[other] &= ~(1u << answer);
        int winner = beaten_by[d->trump][led] >> answer & 1 ? other : leader;
        taken[winner] += points_of[d->trump][led] + points_of[d->trump][answer];
        leader = winner;
    }
    taken[leader] += 10;
    seen->decisions += 18;
    score(d, taken, eldest, seen);
}

static void one_deal(uint32_t seed, uint32_t number, counts *seen) {
    chance r = chance_of(seed, number);
    deal d = {.maker = -1};
    int eldest = 1 - (number & 1);
    uint8_t pack[32];
    for (int i = 0; i < 32; i++) pack[i] = (uint8_t)i;
    for (int i = 0; i < 19; i++) {
        int j = i + below(&r, 32 - i);
        uint8_t card = pack[j];
        pack[j] = pack[i];
        pack[i] = card;
    }
    for (int i = 0; i < 12; i++) d.hand[eldest ^ (i / 3 & 1)] |= 1u << pack[i];
    d.upcard = pack[12];
    seen->decisions += bid(&d, &r, eldest);
    if (d.maker < 0) {
        seen->thrown_in++;
        return;
    }
    for (int i = 13; i < 19; i++) d.hand[eldest ^ (i >= 16)] |= 1u << pack[i];
    play(&d, &r, eldest, seen);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: limit DEALS SEED\n");
        return 2;
    }
    long deals = atol(argv[1]), seed = atol(argv[2]);
    struct timespec begin, end;
    counts seen = {0};
    prepare();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (long number = 0; number < deals; number++) one_deal((uint32_t)seed, (uint32_t)number, &seen);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("{\"deals\": %ld, \"seconds\": %.9f, \"decisions\": %lld, \"thrown_in\": %lld, \"made\": %lld, "
           "\"bait\": %lld, \"hang\": %lld, \"written\": %lld}\n",
           deals, seconds, (long long)seen.decisions, (long long)seen.thrown_in, (long long)seen.made,
           (long long)seen.bait, (long long)seen.hang, (long long)seen.written);
    return 0;
}
