/* Width and character set from values handed in. */
#include "base/term.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"

static void width_comes_from_columns_first(void)
{
    int fd = open("/dev/null", O_RDONLY);

    CHECK(!ait_term_is(fd));
    CHECK(!ait_term_is(-1));
    CHECK_INT(ait_term_width(fd, "132"), 132);
    CHECK_INT(ait_term_width(fd, NULL), AIT_TERM_WIDTH);
    CHECK_INT(ait_term_width(fd, ""), AIT_TERM_WIDTH);
    CHECK_INT(ait_term_width(fd, "0"), AIT_TERM_WIDTH);
    CHECK_INT(ait_term_width(fd, "80x"), AIT_TERM_WIDTH);
    CHECK_INT(ait_term_width(fd, "-5"), AIT_TERM_WIDTH);
    CHECK_INT(ait_term_width(fd, "1"), 20);
    CHECK_INT(ait_term_width(fd, "99999999999999999999"), 1000);
    close(fd);
}

static void the_first_that_is_set_decides(void)
{
    CHECK(ait_term_utf8(NULL, NULL, "en_US.UTF-8"));
    CHECK(ait_term_utf8("", NULL, "de_DE.utf8"));
    CHECK(ait_term_utf8("C.UTF-8", "C", "C"));
    CHECK(!ait_term_utf8("C", "en_US.UTF-8", "en_US.UTF-8"));
    CHECK(!ait_term_utf8(NULL, "POSIX", "en_US.UTF-8"));
    CHECK(!ait_term_utf8(NULL, NULL, NULL));
    CHECK(!ait_term_utf8(NULL, NULL, "de_DE.ISO-8859-1"));
    CHECK(!ait_term_utf8(NULL, NULL, "en_US"));
}

int main(void)
{
    RUN(width_comes_from_columns_first);
    RUN(the_first_that_is_set_decides);
    return t_done();
}
