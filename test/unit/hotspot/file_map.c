#include "hotspot/file_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "support/tap.h"

TEST(a_file)
{
	char path[] = "/tmp/mayfly-map-XXXXXX";
	struct slice file;
	int fd = mkstemp(path);
	EXPECT(write(fd, "some text", 9) == 9);
	EXPECT_INT(0, file_map_open(&file, path, NULL));
	EXPECT(slice_equal(slice_str("some text"), file));
	file_map_close(&file);
	EXPECT(file.at == NULL);
	file_map_close(&file);
	close(fd);
	EXPECT_INT(0, truncate(path, (off_t)FILE_MAP_MAX + 1)); /* takes no room */
	EXPECT_INT(ERR_LIMIT, file_map_open(&file, path, NULL));
	EXPECT(file.at == NULL);
	unlink(path);
}

TEST(what_is_no_file)
{
	char path[] = "/tmp/mayfly-map-XXXXXX";
	struct slice file;
	struct diag d = {""};
	EXPECT_INT(ERR_NOT_FOUND, file_map_open(&file, "/none/such", &d));
	EXPECT_STR("/none/such can't be read: No such file or directory", d.text);
	errno = EACCES; /* of something before */
	EXPECT_INT(ERR_NOT_FOUND, file_map_open(&file, "/tmp", &d));
	EXPECT_STR("/tmp is not a regular file", d.text);
	close(mkstemp(path));
	EXPECT_INT(ERR_NOT_FOUND, file_map_open(&file, path, &d));
	EXPECT(strstr(d.text, "is empty") != NULL);
	unlink(path);
	EXPECT_INT(0, mkfifo(path, 0600));
	EXPECT_INT(ERR_NOT_FOUND, file_map_open(&file, path, NULL)); /* and does not wait */
	EXPECT(file.at == NULL);
	unlink(path);
}
