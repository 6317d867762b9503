/* Ranks of percentiles and of their confidence intervals. */
#include "analyse/report.h"

int64_t ait_rank(int64_t n, int percent)
{
    /* ⌈p·n/100⌉ without an overflow */
    return n / 100 * percent + (n % 100 * percent + 99) / 100;
}

/*
 * Weights of a binomial distribution, relative to that of its mode, walked
 * by the ratio of neighbours. Nothing underflows that matters: a walk ends
 * where a weight is too small to change a sum.
 */
typedef struct walk {
    double n, odds; /* p / (1 - p) */
    int64_t k;
    double weight;
} walk;

#define TINY 1e-30

static void down(walk *w)
{
    double k = (double)w->k;

    w->weight *= k / ((w->n - k + 1) * w->odds);
    w->k--;
}

static void up(walk *w)
{
    double k = (double)w->k;

    w->weight *= (w->n - k) / (k + 1) * w->odds;
    w->k++;
}

/* From the mode to the last weight that matters; adds what it passes. */
static walk tail(walk w, int64_t last, void (*step)(walk *), double *sum)
{
    while (w.k != last) {
        walk next = w;
        step(&next);
        if (next.weight < TINY)
            break;
        w = next;
        *sum += w.weight;
    }
    return w;
}

void ait_ci_ranks(int64_t n, int percent, int64_t *low, int64_t *high)
{
    const double alpha = 0.025;
    walk mode = {(double)n, percent / (100.0 - percent), 0, 1.0}, left, right;
    double all = 1.0, below = 0.0, above = 0.0;

    *low = *high = 0;
    if (n < 1)
        return;
    mode.k = (int64_t)((double)(n + 1) * percent / 100.0);
    mode.k = mode.k > n ? n : mode.k;
    left = tail(mode, 0, down, &all);
    right = tail(mode, n, up, &all);
    /* Summed from the far end on, small weights first. P(B < l) <= alpha */
    while ((below + left.weight) / all <= alpha) {
        below += left.weight;
        up(&left);
    }
    *low = left.k;
    while ((above + right.weight) / all <= alpha) {
        above += right.weight;
        down(&right);
    }
    /* P(B >= k) is over alpha, P(B >= k + 1) is not */
    *high = right.k < n ? right.k + 1 : 0;
}
